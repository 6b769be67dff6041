import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { gatewayOf, houseOf, broken, mintRow, tokenUser } from '#test/idr-token.ts';
import { freshAddress } from '#test/crosschain.ts';
import { fund } from '#test/wallets.ts';
import { readBalances } from '#chains/evm/port.ts';

const h = await harness();
await h.drain();
const gateway = gatewayOf(h);
const amoy = h.app.evm.chains.amoy;
const tokensOf = async (owner: `0x${string}`) =>
  (await readBalances(amoy, owner, [amoy.contracts.idr_token])).tokens[0];

test('what is paid is minted to the wallet, and the books say so', async () => {
  const user = tokenUser(h, await h.user());
  const walletAddress = freshAddress();
  const [status, body] = await user.onramp({ walletAddress, paymentMethod: 'VA' });
  expect([status, body]).toMatchObject([
    200,
    {
      success: true,
      data: { amount: 50_000, fee: 3000, totalAmount: 53_000, paymentMethod: 'VA', status: 'PENDING' },
    },
  ]);
  const { referenceId } = body.data;
  expect(referenceId).toMatch(new RegExp(`^MINT-\\d{13}-${user.as.user_id}$`));
  expect(await gateway.pay(referenceId)).toMatchObject({ status: 'PAID', delivered: true });
  await h.drain();
  expect(await user.status('onramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'SUCCESS', paymentStatus: 'PAID' } },
  ]);
  expect(await tokensOf(walletAddress)).toBe(5_000_000n);
  expect(await houseOf(h)).toEqual({
    gateway: -5_300_000n,
    'idr-token-owed': 0n,
    'idr-token-reserve': 5_000_000n,
    'idr-token-redemptions': 0n,
    'idr-token-fees': 300_000n,
  });
  expect(await broken(h)).toEqual([]);
});
