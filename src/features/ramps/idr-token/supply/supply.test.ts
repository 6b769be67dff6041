import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { freshAddress } from '#test/crosschain.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken, mintRow, tokenUser, untilMinted } from '#test/idr-token.ts';
import { fund } from '#test/wallets.ts';
import { compareSupplies, differs, idrDeps } from '../idr-token.ts';

const h = await harness({ config: { JWT_TTL: '10000000' } });
await h.drain();
const gateway = gatewayOf(h);
await gateway.hold();
const user = tokenUser(h, await h.user());
const admin = tokenUser(h, await h.user({ role: 'admin', client_id: user.as.client_id }));
const deps = idrDeps({ ...h.kernel, ...h.app.providers });
const differing = async () => (await compareSupplies(deps)).filter(differs);
const breaks = () =>
  run(h.db, 'select subject, least, most, found from idr_breaks where settled_at is null', []);

async function minted() {
  const walletAddress = freshAddress();
  const { referenceId } = await user.begun({ walletAddress });
  await gateway.pay(referenceId);
  await untilMinted(h, referenceId);
  return { walletAddress, transactionId: (await mintRow(h, referenceId)).mint_id };
}
const burn = async (from: string, amount: string): Promise<string> =>
  (await h.sandbox('POST', '/chains/amoy/burn', { asset: 'IDRT', from, amount })).tx_hash;

test('supply and reserve are equal after all flows', async () => {
  const { walletAddress } = await minted();
  await minted();
  const { transactionId } = await minted();
  const outside = freshAddress();
  await fund(h, 'amoy', outside, 'IDRT', '70000');
  expect(await differing()).toEqual([]);
  const bankId = await user.bank();
  for (const [from, amount] of [
    [walletAddress, '50000'],
    [outside, '30000'],
  ] as const) {
    const burnTxHash = await burn(from, amount);
    const body = { burnTxHash, walletAddress: from, amount, bankId };
    expect((await user.offramp(body))[0]).toBe(200);
  }
  const refund = { transactionType: 'MINT', transactionId, reason: 'Asked' };
  expect((await admin.call('POST /idrtoken/admin/refund', { body: refund }))[0]).toBe(200);
  const compared = await compareSupplies(deps);
  expect(compared.map(({ subject }) => subject)).toEqual(['ledger', 'amoy']);
  expect(compared.filter(differs)).toEqual([]);
  // No rupiah stand behind the faucet's tokens: the ledger has less than the supply.
  expect(compared).toMatchObject([{ found: 2_000_000n }, { found: 9_000_000n }]);
  expect(await broken(h)).toEqual([]);
});

test('an unredeemed burn is found, reported once, and settles itself', async () => {
  const { walletAddress } = await minted();
  const burnTxHash = await burn(walletAddress, '50000');
  for (let i = 0; i < 3; i += 1) {
    await h.advance(600);
    await h.drain();
  }
  expect(await breaks()).toMatchObject([{ subject: 'amoy' }]);
  expect(h.logs.filter((line) => line.includes('Rupiah tokens and rupiah differ'))).toHaveLength(1);
  const [, { data }] = await user.call('GET /idrtoken/banks/list');
  const bankId = data[0].token_bank_id;
  const body = { burnTxHash, walletAddress, amount: 50_000, bankId };
  expect((await user.offramp(body))[0]).toBe(200);
  await h.advance(600);
  await h.drain();
  expect(await breaks()).toEqual([]);
});

test('unpaid tokens and a wrong book are found', async () => {
  await run(h.db, `update idr_supply set minted = minted - 100 where chain_id = 'amoy'`, []);
  expect((await differing()).map(({ subject }) => subject)).toEqual(['ledger', 'amoy']);
  await run(h.db, `update idr_supply set minted = minted + 100 where chain_id = 'amoy'`, []);
  expect(await differing()).toEqual([]);
});

test('the faucet’s tokens are counted once, from the last transaction on', async () => {
  await run(h.db, `update chain_transactions set signed_at = signed_at - interval '1 hour'`, []);
  await compareSupplies(deps);
  const [kept] = await run<{ faucet: bigint; faucet_upto: number }>(
    h.db,
    `select faucet, faucet_upto from idr_supply where chain_id = 'amoy'`,
    [],
  );
  expect(kept?.faucet).toBe(7_000_000n);
  expect(kept?.faucet_upto).toBeGreaterThan(0);
  expect(await differing()).toEqual([]);
});
