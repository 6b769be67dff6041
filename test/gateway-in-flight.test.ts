import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { converting } from './conversions.ts';
import { gatewayOf } from './gateway-controls.ts';
import { harness } from './harness.ts';
import { tokenUser } from './idr-token.ts';
import { fund, walletOn } from './wallets.ts';

const h = await harness({ mock: false });
const gateway = gatewayOf(h);

/** Burns tokens of the user's own wallet and asks for their rupiah. */
async function redeem(): Promise<string> {
  const user = tokenUser(h, await h.user());
  const bankId = await user.bank();
  const [{ wallet_address: walletAddress } = { wallet_address: '' }] = await walletOn(
    h,
    user.as,
    'amoy',
  );
  const burn = { asset: 'IDRT', from: walletAddress, amount: '50000' };
  await fund(h, 'amoy', walletAddress, 'IDRT', burn.amount);
  const { tx_hash: burnTxHash } = await h.sandbox('POST', '/chains/amoy/burn', burn);
  const [status, body] = await user.offramp({ burnTxHash, amount: 50_000, bankId, walletAddress });
  expect([status, body.data?.status], JSON.stringify(body)).toEqual([200, 'PENDING']);
  return body.data.referenceId;
}

test('pay-outs in flight and payments just made are no mismatch of books', async () => {
  const reference = await redeem();
  const payer = tokenUser(h, await h.user());
  const [, invoice] = await payer.onramp({ amount: 100_000 });
  // The gateway has reserved the one and received the other; we have booked neither.
  await gateway.pay(invoice.data.referenceId);
  const user = await converting(h, { rupiah: '1000000' });
  expect((await user.start(200_000))[1]).toMatchObject({
    data: { status: 'DISBURSING', reconciliation: { requires_admin_attention: false } },
  });

  await h.sandbox('POST', `/gateway/payouts/${reference}/complete`);
  await h.drain();
  expect((await user.start(200_000))[1]).toMatchObject({
    data: { reconciliation: { requires_admin_attention: false } },
  });
  expect(await verifyLedger(h.db)).toMatchObject({ broken: [] });
});
