/** A process of its own for the crash test of an erasure: it erases a person, and hangs before the tables of one feature. */

import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import type { KernelSecrets } from '#kernel/kernel.ts';
import { createLog } from '#kernel/log.ts';
import { createApp } from '#src/app/app.ts';

export interface EraseOrders {
  readonly databaseUrl: string;
  readonly secrets: KernelSecrets;
  readonly aheadMs: number;
  readonly user_id: number;
  /** It hangs once this table was erased. */
  readonly after: string;
}

const orders = JSON.parse(process.argv[2] ?? '') as EraseOrders;
const { features } = await createApp({
  config: loadConfig({ NODE_ENV: 'test', PORT: '0' }),
  databaseUrl: orders.databaseUrl,
  secrets: orders.secrets,
  clock: createClock(orders.aheadMs),
  log: createLog('silent'),
});
const data = features.personData as (typeof features.personData)[number][];
const at = data.findIndex(({ tables }) => tables.some(({ table }) => table === orders.after));
data.splice(at + 1, 0, { tables: [], erase: hang });
const job = features.jobs.find(({ name }) => name === 'profile.erase');
const { signal } = new AbortController();
await job?.run(
  { user_id: orders.user_id },
  { attempt: 1, last: false, key: 'x', signal, completeWithin: async () => undefined },
);
process.stdout.write('ended\n');

async function hang(): Promise<void> {
  setInterval(() => undefined, 1000);
  process.stdout.write('hangs\n');
  await new Promise(() => undefined);
}
