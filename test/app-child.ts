/** The whole application as a process of its own, for tests that kill it. */

import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import type { KernelSecrets } from '#kernel/kernel.ts';
import { createLog } from '#kernel/log.ts';
import { createApp } from '#src/app/app.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly secrets: KernelSecrets;
  /** How far the service's clock is ahead. */
  readonly aheadMs: number;
  /** Settings, as environment variables. */
  readonly settings: Readonly<Record<string, string>>;
}

const { databaseUrl, secrets, aheadMs, settings } = JSON.parse(process.argv[2] ?? '') as Orders;
const app = await createApp({
  config: loadConfig(settings),
  databaseUrl,
  secrets,
  clock: createClock(aheadMs),
  log: createLog('silent'),
});
await app.start();
process.once('SIGTERM', () => void app.close());
process.stdout.write(`${app.apiUrl()}\n`);
