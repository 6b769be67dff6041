import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { banking } from '#test/banking.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const { client_id } = await h.client();
const { holder, balance } = banking(h);
const ada = await holder(client_id);
const ben = await holder(client_id, '50.00');

/** The server process of a statement that waits for the locked account. */
async function waiting(): Promise<number | undefined> {
  const [found] = await run<{ pid: number }>(
    h.db,
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
    [],
  );
  return found?.pid;
}

test('an acceptance that dies before its end leaves nothing, and its repetition pays once', async () => {
  const body = { to: { user_id: ben.user_id }, wallet_id: ada.wallet_id, amount: '12.50' };
  const [, { data }] = await h.call('POST /wallets/fiat/requests', { as: ada, body });
  const params = { request_id: data.request_id as string };
  const key = randomUUID();
  const accept = () =>
    h.call('POST /wallets/fiat/requests/{request_id}/accept', {
      as: ben,
      params,
      body: { from_wallet_id: ben.wallet_id },
      headers: { 'idempotency-key': key },
    });
  const read = async () =>
    (await h.call('GET /wallets/fiat/requests/{request_id}', { as: ben, params }))[1].data;
  const blocker = await h.kernel.pool.connect();
  try {
    await blocker.query('begin');
    await blocker.query('select from ledger.accounts where account_id = $1 for update', [
      ben.account_id,
    ]);
    const dying = accept();
    await expect.poll(waiting, { timeout: 10_000 }).toBeDefined();
    await run(h.db, 'select pg_terminate_backend($1)', [await waiting()]);
    expect((await dying)[0]).toBeGreaterThanOrEqual(500);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect(await read()).toMatchObject({ status: 'OPEN', transfer_id: null });
  expect(await balance(ben)).toBe('50.00 0.00');
  for (let n = 0; n < 2; n += 1) expect((await accept())[1].data.status).toBe('ACCEPTED');
  expect([await balance(ben), await balance(ada)]).toEqual(['37.50 0.00', '12.50 0.00']);
});
