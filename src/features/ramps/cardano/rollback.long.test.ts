// Long: a chain takes blocks back.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { expectEven, flowsOf, houseOf, type RampUser, rampUser } from '#test/cardano-ramps.ts';
import { harness } from '#test/harness.ts';

/** A block that the chain takes back moves no money, and what it had moved is made good. */
const h = await harness({ config: { CARDANO_CONFIRMATIONS: '3' } });
await h.drain();

const BLOCK_S = 20;
const rollBack = (blocks: number) => h.sandbox('POST', '/cardano/rollback', { blocks });
const blocks = async (count: number) => {
  await h.advance(count * BLOCK_S);
  await h.drain();
};
async function hashesOf({ as }: RampUser) {
  const rows = await run<{ mint_hash: string | null; step_hashes: (string | null)[] }>(
    h.db,
    `select mint_hash, (select array_agg(distinct tx_hash) from cardano_steps s
       where s.order_id = o.order_id and s.step = 'MINT') as step_hashes
     from cardano_orders o where user_id = $1`,
    [as.user_id],
  );
  return rows[0];
}
/** The chain's own transactions, as far as a look-up has read them. */
const inABlock = (count: number) =>
  expect
    .poll(() =>
      run(
        h.db,
        `select from sandbox.records
           where provider = 'cardano' and kind = 'tx' and data->>'raw' <> ''`,
        [],
      ),
    )
    .toHaveLength(count);

/** A ramp whose transaction is awaited; repeated under its key where a slow machine gave up. */
const ramped = async (user: RampUser, key: string) =>
  (await user.ramp('wallet-mint-user', {}, key))[0];
const isPaid = async (asked: Promise<number>, user: RampUser, key: string) => {
  if ((await asked) !== 200) await expect.poll(() => ramped(user, key)).toBe(200);
};

test('a mint that is rolled back before its confirmations happens once', async () => {
  const user = await rampUser(h);
  const before = await houseOf(h);
  const asked = ramped(user, 'before');
  await inABlock(1);
  await rollBack(1);
  expect(await user.balance('USD')).toEqual([10_000n, 10_000n]);
  expect(await houseOf(h)).toEqual(before);
  await inABlock(1);
  await blocks(2);
  await isPaid(asked, user, 'before');
  expect(await user.balance('USD')).toEqual([0n, 0n]);
  await expectEven(h);
});

test('a confirmed mint that is rolled back is reissued, in books and history, too', async () => {
  const user = await rampUser(h);
  const asked = ramped(user, 'after');
  await inABlock(2);
  await blocks(2);
  await isPaid(asked, user, 'after');
  const before = await hashesOf(user);
  // Past its last slot, and no process has looked since.
  h.clock.advance(3_600_000);
  await rollBack(184);
  for (let n = 0; n < 4; n += 1) await blocks(3);
  const after = await hashesOf(user);
  expect(after?.mint_hash).not.toBe(before?.mint_hash);
  expect(after?.step_hashes).toEqual([after?.mint_hash]);
  await expectEven(h);
  expect(await flowsOf(h, user)).toMatchObject([{ status: 'DONE' }]);
  const noted = await run<{ action: string }>(
    h.db,
    `select action from activity_log where subject_user_id = $1 and action like 'CARDANO_%'
     order by id`,
    [user.as.user_id],
  );
  expect(noted.map(({ action }) => action).slice(-2)).toEqual([
    'CARDANO_TAKEN_BACK',
    'CARDANO_MADE_ANEW',
  ]);
});
