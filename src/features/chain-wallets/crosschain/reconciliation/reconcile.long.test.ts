// Long: transfers of every kind are compared with what the chains say.

import { expect, it } from 'vitest';
import { bridgeBurnCall, mintTokenCall } from '#chains/evm/contracts/port.ts';
import { CHAINS } from '#chains/evm/port.ts';
import { freshAddress, mover, outsideWallet, someHash } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { fund } from '#test/wallets.ts';

const h = await harness();
const { chains, keys } = h.app.evm;
// Schedules are due from their first sight on.
await h.drain();
const person = mover(h, await h.user());

/** As often as the schedule would; what is open afterwards. */
async function breaks() {
  await h.advance(600);
  await h.drain();
  return h.db
    .selectFrom('crosschain_breaks')
    .select(['kind', 'subject', 'details'])
    .where('settled_at', 'is', null)
    .orderBy('kind')
    .orderBy('subject')
    .execute();
}
const reconciled = async (log: { log_id: string }) =>
  (
    await h.db
      .selectFrom('crosschain_transfers')
      .select('reconciled_at')
      .where('log_id', '=', log.log_id)
      .executeTakeFirstOrThrow()
  ).reconciled_at;

it('transfers of every kind that are what the log says leave nothing to explain', async () => {
  const logs = [];
  for (const burn of ['backend', 'key', 'word'] as const) {
    const log = await person.begun({ amount: '2' });
    if (burn === 'backend') await person.burn(log);
    else if (burn === 'key') await person.burnWith(log, someHash());
    else await person.confirm(log, 'BURNED', someHash());
    expect((await person.mint(log))[0]).toBe(200);
    logs.push(log);
  }
  const wallet = outsideWallet(h);
  await fund(h, 'sepolia', wallet.address, 'native', '1');
  await fund(h, 'sepolia', wallet.address, 'USDC', '5');
  const log = await person.begun({ amount: '5' });
  const tx_hash = await wallet.send('sepolia', log.burn_calls);
  expect((await person.confirm(log, 'BURNED', tx_hash))[0]).toBe(200);
  expect((await person.mint(log))[0]).toBe(200);
  await h.sandbox('POST', '/chains/amoy/burn', {
    asset: 'USDC',
    from: log.recipient_address,
    amount: '1',
  });
  expect(await breaks()).toEqual([]);
  for (const each of [...logs, log]) expect(await reconciled(each)).not.toBeNull();
});

it('what is settled long since is not counted anew, and what follows is counted on top', async () => {
  await h.kernel.pool.query(`update chain_transactions set signed_at = now() - interval '1 hour'`);
  expect(await breaks()).toEqual([]);
  const log = await person.begun({ amount: '3' });
  await person.burn(log);
  await person.mint(log);
  expect(await breaks()).toEqual([]);
});

it('a burn at the bridge that nobody told of shows in the supply, until it is told of', async () => {
  const wallet = outsideWallet(h);
  await fund(h, 'amoy', wallet.address, 'native', '1');
  await fund(h, 'amoy', wallet.address, 'USDC', '7');
  const log = await person.begun({ from_chain: 'amoy', to_chain: 'neon', amount: '7' });
  const { nonce, recipient_address: recipient } = log;
  const call = bridgeBurnCall(
    chains.amoy.contracts,
    { nonce, units: 7_000_000n, recipient },
    CHAINS.neon.chainId,
  );
  const tx_hash = await wallet.send('amoy', [call]);
  expect(await breaks()).toMatchObject([{ kind: 'SUPPLY', subject: 'amoy' }]);
  expect((await breaks()).length).toBe(1);
  await person.confirm(log, 'BURNED', tx_hash);
  await person.mint(log);
  expect(await breaks()).toEqual([]);
});

it('tokens that somebody else made show in the supply', async () => {
  const { sender, contracts } = chains.neon;
  const reference = 'counterfeit';
  const call = mintTokenCall(contracts.usdc, freshAddress(), 1_000_000n);
  await sender.execute({ signer: keys.hot, ...call, reference, purpose: 'test' });
  await h.db.deleteFrom('chain_transactions').where('reference', '=', reference).execute();
  const [found, ...others] = await breaks();
  expect(others).toEqual([]);
  expect(found).toMatchObject({ kind: 'SUPPLY', subject: 'neon' });
  const { expected, found: there } = (found?.details ?? {}) as Record<string, string>;
  expect(Number(there) - Number(expected)).toBeCloseTo(1);
});

it('a mint that is not where the log says is found, and so is one that never came', async () => {
  const [moved, waiting] = [await person.begun(), await person.begun()];
  await person.burn(moved);
  await person.mint(moved);
  await person.burn(waiting);
  await h.db
    .updateTable('crosschain_transfers')
    .set({ mint_tx_hash: someHash() })
    .where('log_id', '=', moved.log_id)
    .execute();
  await h.advance(3600);
  const found = (await breaks()).filter(({ kind }) => kind !== 'SUPPLY');
  expect(found).toEqual([
    { kind: 'MINT', subject: moved.log_id, details: { disproof: 'unknown' } },
    { kind: 'STUCK', subject: waiting.log_id, details: expect.anything() },
  ]);
  expect(await reconciled(moved)).toBeNull();
  const renewed = await h.kernel.sessions.open(h.db, {
    user_id: person.as.user_id,
    method: 'password',
  });
  expect((await mover(h, { ...person.as, ...renewed }).mint(waiting))[0]).toBe(200);
  expect((await breaks()).filter(({ kind }) => kind === 'STUCK')).toEqual([]);
});
