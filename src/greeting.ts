import type { App } from './app.ts';
import { type Config, usesSandbox } from './config.ts';
import { DEMO } from './seed.ts';

/** Tells whoever started the service where everything is and how to get in. */
export function greet(config: Config, app: App): void {
  const base = app.kernel.publicUrl();
  const lines = [
    '',
    `Archipay is ready (${config.ROLE}, ${config.MOCK_MODE ? 'mock mode' : 'live mode'}).`,
  ];
  if (config.ROLE !== 'worker')
    lines.push(
      `  API        ${app.apiUrl()}`,
      `  Reference  ${base}/docs`,
      `  Health     ${base}/health/ready   Metrics ${base}/metrics`,
    );
  if (usesSandbox(config) && config.ROLE !== 'worker')
    lines.push(
      `  Sandbox    ${app.sandboxUrl()}`,
      '',
      `  API key    ${DEMO.apiKey}`,
      `  Operator   ${config.BOOTSTRAP_ADMIN_EMAIL ?? DEMO.operator.email} / ${config.BOOTSTRAP_ADMIN_PASSWORD ? '(as configured)' : DEMO.operator.password}`,
      `  Admin      ${DEMO.admin.email} / ${DEMO.admin.password}`,
      `  User       ${DEMO.user.email} / ${DEMO.user.password}`,
    );
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
