import { expect, it } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { mover, outsideWallet, someHash } from '#test/crosschain.ts';
import { emittedTypes } from '#test/emitted-events.ts';
import { type Body, harness } from '#test/harness.ts';
import { fund } from '#test/wallets.ts';

const h = await harness();
const user = await h.user();
const admin = await h.user({ role: 'admin', client_id: user.client_id });
const person = mover(h, user);

/** What is written down of a transfer, in order: what, who asked, and how it stood then. */
const stepsOf = async ({ log_id }: Body) =>
  (
    await run<{ action: string; by: number | null; status: string }>(
      h.db,
      `select action, actor_user_id as by, details ->> 'status' as status from activity_log
       where details ->> 'log_id' = $1 order by id`,
      [log_id],
    )
  ).map(({ action, by, status }) => [action.replace('CROSSCHAIN_', ''), by, status]);

it('every step of a transfer is written down once, with who asked for it', async () => {
  const log = await person.begun();
  const once = { headers: { 'idempotency-key': log.nonce } };
  for (const _ of [1, 2]) expect((await person.burn(log, {}, once))[0]).toBe(200);
  expect((await mover(h, admin).burn(log))[0]).toBe(400);
  expect((await mover(h, admin).mint(log))[0]).toBe(200);
  expect((await person.mint(log))[0]).toBe(400);
  expect(await stepsOf(log)).toEqual([
    ['INITIATE', user.user_id, 'INITIATED'],
    ['BURN', user.user_id, 'INITIATED'],
    ['BURNED', null, 'BURNED'],
    ['MINT', admin.user_id, 'BURNED'],
    ['MINTED', null, 'MINTED'],
  ]);
});

it('so is what somebody says of a burn, and nothing that was refused', async () => {
  const [said, failed] = [await person.begun(), await person.begun()];
  const tx_hash = someHash();
  expect((await person.burn(said, { mode: 'external_wallet', tx_hash }))[0]).toBe(200);
  expect((await person.confirm(said, 'BURNED', tx_hash))[0]).toBe(400);
  expect((await mover(h, admin).confirm(failed, 'FAILED', tx_hash))[0]).toBe(403);
  expect((await person.confirm(failed, 'BURNED', tx_hash))[0]).toBe(409);
  expect((await person.confirm(failed, 'FAILED', tx_hash))[0]).toBe(200);
  expect(await stepsOf(said)).toEqual([
    ['INITIATE', user.user_id, 'INITIATED'],
    ['BURN', user.user_id, 'BURNED'],
  ]);
  const told = ({ log_id }: Body) => emittedTypes(h, 'crosschain_transfer', log_id);
  const begun = 'crosschain_transfer.initiated';
  expect(await told(said)).toEqual([begun, 'crosschain_transfer.burned']);
  expect(await told(failed)).toEqual([begun, 'crosschain_transfer.failed']);
  expect(await stepsOf(failed)).toEqual([
    ['INITIATE', user.user_id, 'INITIATED'],
    ['CONFIRM', user.user_id, 'FAILED'],
  ]);
});

it('a burn that is found by the service itself is nobody’s word', async () => {
  const log = await person.begun({ from_chain: 'neon', to_chain: 'amoy' });
  expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(200);
  const wallet = outsideWallet(h);
  await fund(h, 'neon', wallet.address, 'native', '1');
  await fund(h, 'neon', wallet.address, 'USDC', '10');
  await wallet.send('neon', log.burn_calls);
  await h.drain();
  expect((await stepsOf(log)).at(-1)).toEqual(['CONFIRM', null, 'BURNED']);
});

it('a step that cannot be written down is not taken', async () => {
  const [log, told] = [await person.begun(), await person.begun()];
  await run(h.db, 'alter table activity_log rename to activity_away', []);
  try {
    expect((await person.burn(log))[0]).toBe(500);
    expect((await person.confirm(told, 'BURNED', someHash()))[0]).toBe(500);
  } finally {
    await run(h.db, 'alter table activity_away rename to activity_log', []);
  }
  for (const each of [log, told])
    expect((await person.details(each))[1].data.transaction.status).toBe('INITIATED');
  const signed = `select from chain_transactions where reference like 'burn:' || $1 || '%'`;
  expect(await run(h.db, signed, [log.nonce])).toEqual([]);
  expect((await person.burn(log))[0]).toBe(200);
  expect((await person.mint(log))[0]).toBe(200);
});
