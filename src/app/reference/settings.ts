import { type Config, usesSandbox } from '#kernel/config/config.ts';
import type { DemoLogIns } from '#kernel/openapi/docs-page.ts';
import { DEMO } from '../seed.ts';

/** Readable in both schemes (WCAG AA), in the colours of our other pages; samples are not cut off. */
const STYLE = `
.light-mode { --scalar-color-3: #5f6672; --scalar-color-accent: #0b6e4f; }
.dark-mode { --scalar-color-3: #a3b1bf; --scalar-color-accent: #39b88a; }
code.hljs.hljs { white-space: pre-wrap !important; overflow: hidden !important; }
.markdown code, .markdown pre { max-width: 100%; overflow-wrap: anywhere !important; word-break: break-word; }
`;

/** The bar of `docs-page.ts`; the renderer keeps below it. */
const DEMO_BAR = `
:root { --scalar-custom-header-height: 3rem; }
.demo-bar { position: sticky; top: 0; z-index: 30; display: flex; align-items: center; gap: .5rem; height: 3rem;
  padding: 0 1rem; overflow: hidden; font: 14px/1.2 system-ui, sans-serif; color: #e8edf2; background: #10161d; }
.demo-bar p { min-width: 0; margin: 0; overflow: hidden; text-overflow: ellipsis; }
.demo-bar button { flex: none; min-height: 2rem; padding: 0 .6rem; font: inherit; font-weight: 600; color: #06281c;
  background: #39b88a; border: 0; border-radius: 6px; cursor: pointer; }
.demo-bar button[aria-pressed=true] { color: #e8edf2; background: none; box-shadow: inset 0 0 0 1px #39b88a; }
.demo-bar button:focus-visible { outline: 2px solid #fff; outline-offset: -4px; }
`;

/** Whom a reader may be by one click, outside production only: they exist nowhere else. */
export const demoLogIns = (config: Config): DemoLogIns | undefined =>
  usesSandbox(config)
    ? {
        apiKey: DEMO.apiKey,
        people: { user: DEMO.user, admin: DEMO.admin, operator: DEMO.operator },
      }
    : undefined;

/** How the reference is shown: nothing of it calls anybody but this service. */
export const referenceSettings = (config: Config): object => ({
  theme: 'none',
  customCss: usesSandbox(config) ? STYLE + DEMO_BAR : STYLE,
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
