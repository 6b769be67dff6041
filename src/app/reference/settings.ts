import { type Config, usesSandbox } from '#src/config.ts';
import { DEMO } from '../seed.ts';

/** How the reference is shown: nothing of it calls anybody but this service. */
export const referenceSettings = (config: Config): object => ({
  theme: 'none',
  layout: 'modern',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: {
    preferredSecurityScheme: [['apiKey', 'token']],
    securitySchemes: usesSandbox(config) ? { apiKey: { value: DEMO.apiKey } } : {},
  },
});
