import { expect, it } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { mover, someHash } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { sent } from '#test/statements.ts';
import { listStuck, listUnreconciled } from './store.ts';

const h = await harness();
// Schedules are due from their first sight on.
await h.drain();
const person = mover(h, await h.user());
const MANY = 25;

/** Transfers in that state, as the log has them and no chain does. */
async function imagined(status: 'BURNED' | 'MINTED'): Promise<void> {
  const { log_id } = await person.begun();
  for (let i = 0; i < MANY; i += 1)
    await run(
      h.db,
      `insert into crosschain_transfers (log_id, nonce, user_id, client_id, amount, units,
         platform_fee, token, from_chain, to_chain, recipient_address, bridge_route, limit_day, status,
         burn_tx_hash, burn_proof, mint_tx_hash, created_at, updated_at)
       select gen_random_uuid(), gen_random_uuid(), user_id, client_id, amount, units, platform_fee,
         token, from_chain, to_chain, recipient_address, bridge_route, limit_day, $2, $3, 'WORD', $4,
         created_at, updated_at
       from crosschain_transfers where log_id = $1`,
      [log_id, status, someHash(), status === 'MINTED' ? someHash() : null],
    );
}

const foundOf = (kind: string) =>
  run<{ subject: string }>(h.db, 'select subject from crosschain_breaks where kind = $1', [kind]);

it('however many there are, one run looks at all of them, and reports each once', async () => {
  await imagined('MINTED');
  await imagined('BURNED');
  await h.advance(3700);
  await h.drain();
  expect(await foundOf('MINT')).toHaveLength(MANY);
  expect(await foundOf('STUCK')).toHaveLength(MANY);
  const logged = () => h.logs.filter((line) => line.includes('Chains and log differ')).length;
  expect(logged()).toBe(2 * MANY);
  await h.advance(600);
  await h.drain();
  expect(logged()).toBe(2 * MANY);
});

it.each([
  ['crosschain_unreconciled', listUnreconciled],
  ['crosschain_stuck', listStuck],
])('who is next is read in order from %s, however long the log is', async (index, list) => {
  sent.length = 0;
  await list(h.db, h.clock.now(), 10);
  const text = sent.find((one) => one.includes('crosschain_transfers'));
  const connection = await h.kernel.pool.connect();
  // Tables are tiny here: without this the planner would rightly read them whole.
  await connection.query('set enable_seqscan = off; set enable_bitmapscan = off');
  const { rows } = await connection.query(`explain (generic_plan) ${text}`);
  connection.release(true);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain(`Index Scan using ${index}`);
  expect(plan).not.toContain('Sort');
});
