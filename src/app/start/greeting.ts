import { type Config, usesSandbox } from '#kernel/config/config.ts';
import type { App } from '#src/app/app.ts';
import { providerTable } from '#src/app/operate/provider-status.ts';
import { providerStatuses } from '#src/app/providers.ts';
import { DEMO } from '#src/app/seed.ts';

/** Prints the addresses, log-ins and missing parts at the start. */
export function greet(config: Config, app: App): void {
  const lines = [
    '',
    `Archipay is ready (${config.ROLE}, ${config.MOCK_MODE ? 'mock mode' : 'live mode'}).`,
    ...places(config, app),
    // In mock mode hardly any of them is called.
    ...(config.MOCK_MODE ? [] : providers(config, app)),
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function places(config: Config, app: App): string[] {
  if (config.ROLE === 'worker') return [];
  const base = app.kernel.publicUrl();
  const ops = app.opsUrl();
  const api = [
    `  API        ${app.apiUrl()}`,
    ...(config.DOCS === 'on' ? [`  Reference  ${base}/docs`] : []),
    ...(config.CONSOLE === 'on' ? [`  Console    ${base}/console`] : []),
    `  Health     ${ops}/health/ready   Metrics ${ops}/metrics`,
  ];
  if (!usesSandbox(config)) return api;
  const operator = config.BOOTSTRAP_ADMIN_EMAIL ?? DEMO.operator.email;
  const password = config.BOOTSTRAP_ADMIN_PASSWORD ? '(as configured)' : DEMO.operator.password;
  return [
    ...api,
    `  Sandbox    ${app.sandboxUrl()}`,
    '',
    `  API key    ${DEMO.apiKey}`,
    `  Operator   ${operator} / ${password}`,
    `  Admin      ${DEMO.admin.email} / ${DEMO.admin.password}`,
    `  User       ${DEMO.user.email} / ${DEMO.user.password}`,
  ];
}

/** A table for people, and a line of the log for each missing one. */
function providers(config: Config, app: App): string[] {
  const statuses = providerStatuses(config);
  for (const [provider, { lacking }] of Object.entries(statuses))
    if (lacking.length > 0)
      app.kernel.log.warn({ provider, settings: lacking }, 'a provider is not configured');
  return ['', '  Providers', ...providerTable(statuses).map((row) => `    ${row}`)];
}
