// Long: a database falls silent.

import { expect, test } from 'vitest';
import { GOOD } from './cards.ts';
import { type Harness, harness, type Person } from './harness.ts';
import { replicated } from './replica.ts';

const pair = await replicated();
const POOL = 6;
const h = await harness({
  database: { url: pair.leaderUrl, close: () => pair.close() },
  config: {
    DATABASE_URL: pair.leaderUrl,
    DATABASE_REPLICA_URL: pair.replicaUrl,
    DB_POOL: String(POOL),
    DB_REPLICA_LAG: '3600',
  },
});
const ada = await h.user();

const topUp = (as: Person, amount: string) =>
  h.call('POST /card-checkout/cardcc', {
    as,
    body: { card_number: GOOD, expiry_date: '1139', amount, currency_code: 'USD' },
  });
async function walletOf(as: Person): Promise<number> {
  await topUp(as, '5.00');
  const params = { user_id: as.user_id };
  const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as, params });
  return data.wallets[0].wallet_id;
}
const wallet_id = await walletOf(ada);
const statement = () =>
  h.call('GET /wallets/fiat/{wallet_id}/transactions', { as: ada, params: { wallet_id } });

async function readsFrom(at: Harness): Promise<Record<string, number>> {
  const metric = at.kernel.metrics.registry.getSingleMetric('archipay_history_reads_total');
  const { values } = (await metric?.get()) ?? { values: [] };
  return Object.fromEntries(
    values.map(({ labels, value }) => [`${labels['from']}: ${labels['why']}`, value]),
  );
}
const fromReplica = async () => (await readsFrom(h))['replica: current'] ?? 0;
/** Whether a list is read from the replica by now. */
async function isRead(): Promise<boolean> {
  const before = await fromReplica();
  await statement();
  return (await fromReplica()) > before;
}

test('a hanging replica delays readers briefly, and holds no connection of the leader', async () => {
  await pair.caughtUp();
  await expect.poll(isRead).toBe(true);
  await pair.freeze();
  const lists = Array.from({ length: 40 }, async () => {
    const [status, { data }] = await statement();
    return { status, entries: data.transactions.length };
  });
  // They wait for the replica, and hold nothing meanwhile that payments need.
  const { pool } = h.kernel;
  const isQuiet = () => pool.waitingCount === 0 && pool.idleCount === pool.totalCount;
  await expect.poll(isQuiet).toBe(true);
  expect((await topUp(await h.user(), '7.00'))[0]).toBe(200);

  expect(await Promise.all(lists)).toEqual(Array(40).fill({ status: 200, entries: 1 }));
  expect(await isRead()).toBe(false);
  expect((await readsFrom(h))['leader: away']).toBeGreaterThan(40);
  const metrics = await (await fetch(`${h.app.opsUrl()}/metrics`)).text();
  expect(metrics).not.toMatch(/^archipay_replica_lag_bytes /m);

  pair.thaw();
  await expect.poll(isRead, { timeout: 60_000, interval: 200 }).toBe(true);
});
