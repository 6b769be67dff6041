import { type Config, usesSandbox } from '#src/config.ts';
import { DEMO } from '../seed.ts';

/** Readable in both schemes (WCAG AA), in the colours of our other pages; samples are not cut off. */
const STYLE = `
.light-mode { --scalar-color-3: #5f6672; --scalar-color-accent: #0b6e4f; }
.dark-mode { --scalar-color-3: #a3b1bf; --scalar-color-accent: #39b88a; }
code.hljs.hljs { white-space: pre-wrap !important; overflow: hidden !important; }
.markdown code, .markdown pre { max-width: 100%; overflow-wrap: anywhere !important; word-break: break-word; }
`;

/** How the reference is shown: nothing of it calls anybody but this service. */
export const referenceSettings = (config: Config): object => ({
  theme: 'none',
  customCss: STYLE,
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
