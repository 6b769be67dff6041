// Long: days go by, and are compared in every way.

import { describe, expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import { reconcileRail } from '#kernel/reconciliation/reconcile.ts';
import { freshAddress } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { broken, houseOf, mintRow, tokenUser, untilMinted } from '#test/idr-token.ts';
import { redemption } from '#test/payouts.ts';
import { fund, walletOn } from '#test/wallets.ts';

/** The gateway issues and redeems the token itself. */
const h = await harness({ mock: false, config: { IDR_GATEWAY: 'idrx', JWT_TTL: '10000000' } });
await h.drain();
const { amoy } = h.app.evm.chains;
const someone = async () => tokenUser(h, await h.user());
const tokensOf = async (owner: `0x${string}`) =>
  (await readBalances(amoy, owner, [amoy.contracts.idr_token])).tokens[0];

test('a vendor’s mint is proven on chain, and its fee is not ours', async () => {
  const user = await someone();
  const walletAddress = freshAddress();
  const { referenceId } = await user.begun({ walletAddress, paymentMethod: 'VA' });
  const before = await houseOf(h);
  await h.sandbox('POST', `/idrx/payments/${referenceId}/pay`);
  await untilMinted(h, referenceId);
  expect(await tokensOf(walletAddress)).toBe(5_000_000n);
  expect(await houseOf(h)).toEqual({
    ...before,
    gateway: before.gateway - 5_000_000n,
    'idr-token-reserve': before['idr-token-reserve'] + 5_000_000n,
  });
  const row = await mintRow(h, referenceId);
  expect(row.mint_tx_hash).toMatch(/^0x/);
  const journalled = await amoy.sender.find(`idr-mint:${referenceId}`);
  expect(journalled).toBeUndefined();
  expect(await broken(h)).toEqual([]);
});

test('the vendor redeems a burn by its hash', async () => {
  const user = await someone();
  const [address] = await walletOn(h, user.as, 'amoy');
  const walletAddress = address?.wallet_address ?? '';
  await fund(h, 'amoy', walletAddress, 'IDRT', '50000');
  const { tx_hash: burnTxHash } = await h.sandbox('POST', '/chains/amoy/burn', {
    asset: 'IDRT',
    from: walletAddress,
    amount: '50000',
  });
  const before = await houseOf(h);
  const bankId = await user.bank();
  const [, { data }] = await user.offramp({ burnTxHash, walletAddress, amount: 50_000, bankId });
  await h.drain();
  expect(await user.statusOf('offramp', data.referenceId)).toBe('PROCESSING');
  await h.sandbox('POST', `/idrx/redeems/${data.referenceId}/complete`);
  await h.drain();
  expect(await user.statusOf('offramp', data.referenceId)).toBe('COMPLETED');
  expect(await houseOf(h)).toEqual({
    ...before,
    gateway: before.gateway + 5_000_000n,
    'idr-token-reserve': before['idr-token-reserve'] - 5_000_000n,
  });
  expect(await broken(h)).toEqual([]);
});

test('a paid purchase that the vendor does not mint fails, and can be refunded', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  const { gateway_payment_id: merchantOrderId, mint_id } = await mintRow(h, referenceId);
  const told = { paymentStatus: 'PAID', userMintStatus: 'REJECTED' };
  await run(
    h.db,
    `update sandbox.records set data = data || $1::jsonb
     where provider = 'idrx' and kind = 'mint' and data ->> 'merchantOrderId' = $2`,
    [JSON.stringify(told), merchantOrderId],
  );
  // By its own id alone, unsigned: a hint, which the service verifies.
  const body = { merchantOrderId, ...told };
  await h.call('POST /idrtoken/callback/payment', { as: 'nobody', body });
  await h.drain();
  expect(await user.status('onramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'FAILED', paymentStatus: 'PAID' } },
  ]);
  const admin = tokenUser(h, await h.user({ role: 'admin', client_id: user.as.client_id }));
  const refund = { transactionType: 'MINT', transactionId: mint_id, reason: 'Not issued' };
  const [status] = await admin.call('POST /idrtoken/admin/refund', { body: refund });
  expect([status, await user.balance()]).toEqual([200, 4_000_000n]);
  const { 'idr-token-owed': owed } = await houseOf(h);
  expect(owed).toBe(0n);
  expect((await admin.call('POST /idrtoken/admin/refund', { body: refund }))[0]).toBe(409);
});

describe('the vendor’s history is reconciled like a statement', () => {
  const FAULTS = '/statements/idrx/faults';
  const HOURS_MS = 4 * 3_600_000;
  /** Long enough for both sides to be due, with what runs meanwhile. */
  const reconciled = async () => {
    await h.advance(HOURS_MS / 1000);
    await h.drain();
    for (const rail of h.app.features.rails.filter(({ name }) => RAILS.includes(name)))
      await reconcileRail(h.kernel, rail, { signal: new AbortController().signal, again: true });
  };
  const RAILS = ['gateway', 'payouts'];
  const breaksOf = (reference: string) =>
    run<{ rail: string; cause: string; state: string }>(
      h.db,
      'select rail, cause, state from reconciliation_breaks where reference = $1',
      [reference],
    );
  async function paid(): Promise<string> {
    const { referenceId } = await (await someone()).begun();
    await h.sandbox('POST', `/idrx/payments/${referenceId}/pay`);
    await untilMinted(h, referenceId);
    return referenceId;
  }
  async function redeemed(): Promise<string> {
    const { reference } = await redemption(h);
    await h.sandbox('POST', `/idrx/redeems/${reference}/complete`);
    await h.drain();
    return reference;
  }

  test('lines of both sides make no break', async () => {
    const references = [await paid(), await redeemed()];
    await reconciled();
    for (const reference of references) expect(await breaksOf(reference)).toEqual([]);
    const lines = await run<{ reference: string; side: string; units: bigint }>(
      h.db,
      'select reference, side, units from reconciliation_lines where reference = any($1)',
      [references],
    );
    for (const reference of references) {
      const own = lines.filter((line) => line.reference === reference);
      expect(own.map(({ side }) => side).sort()).toEqual(['OURS', 'THEIRS']);
      expect(new Set(own.map(({ units }) => units)).size).toBe(1);
    }
  });

  test.each([
    ['lose', 'MISSING_AT_PROVIDER'],
    ['double', 'DOUBLED_AT_PROVIDER'],
    ['alter', 'AMOUNT_DIFFERS'],
  ])('an entry to %s is a break of %s until it is corrected', async (kind, cause) => {
    for (const [make, rail] of [
      [paid, 'gateway'],
      [redeemed, 'payouts'],
    ] as const) {
      const reference = await make();
      await h.sandbox('POST', FAULTS, { kind, reference });
      // Again where a busy machine has let a page of the statement wait for too long.
      const compared = async () => {
        await reconciled();
        return breaksOf(reference);
      };
      await expect.poll(compared).toEqual([{ rail, cause, state: 'OPEN' }]);
      await h.sandbox('DELETE', `${FAULTS}?reference=${reference}`);
      await expect.poll(compared).toEqual([{ rail, cause, state: 'RESOLVED' }]);
    }
  });
});
