import type { PaymentRequest, PayoutRequest } from '#providers/gateway/port.ts';
import { type IdrxSettings, idrx } from '#providers/idrx/adapter.ts';
import type { BurntTokens, TokenSale } from '#providers/idrx/port.ts';
import type { Issue } from '#sandbox/providers/idrx/simulated-history.ts';
import { idrxSimulator } from '#sandbox/providers/idrx/simulator.ts';
import { newReference } from './gateway.ts';
import { testSandbox } from './sandbox.ts';

const KEY = 'test-idrx-key';
const SECRET = 'dGVzdC1pZHJ4LXNlY3JldA==';
export const WALLET = '0x1111111111111111111111111111111111111111';

export type SaleWish = PaymentRequest & { readonly sale: TokenSale };
export type RedeemWish = PayoutRequest & { readonly burnt: BurntTokens };

/** Both ports of IDRX as one: its payments are sales, and its pay-outs redemptions. */
export function joinedIdrx(settings: IdrxSettings) {
  const { gateway, vendor } = idrx(settings);
  return {
    ...gateway,
    ...vendor,
    createPayment: ({ sale, ...request }: SaleWish) => vendor.sell(request, sale),
    createPayout: ({ burnt, ...request }: RedeemWish) => vendor.redeem(request, burnt),
  };
}

/** IDRX and its simulator over a real socket; `issue` is the chain that it mints on. */
export async function testIdrx(issue: Issue) {
  const credentials = { IDRX_API_KEY: KEY, IDRX_SECRET: SECRET };
  const sandbox = await testSandbox(idrxSimulator(credentials, issue));
  const settings = {
    url: () => `${sandbox.url}/idrx`,
    apiKey: KEY,
    secret: SECRET,
    form: 'url',
    returnUrl: () => 'http://localhost:3000',
    clock: sandbox.clock,
  } as const;

  function wish(fields: Partial<SaleWish> = {}): SaleWish {
    return {
      reference: newReference('MINT'),
      units: 2_500_000n,
      method: 'QRIS',
      expiresAt: new Date(sandbox.clock.now().getTime() + 86_400_000),
      description: 'Order 1',
      sale: { chain: 'amoy', address: WALLET, units: 2_500_000n },
      ...fields,
    };
  }

  return {
    sandbox,
    settings,
    gateway: joinedIdrx(settings),
    wish,
    pay: (reference: string, body?: object) =>
      sandbox.control(`POST /idrx/payments/${reference}/pay`, body),
    expire: (reference: string) => sandbox.control(`POST /idrx/payments/${reference}/expire`),
    endRedeem: (reference: string, end: 'complete' | 'fail') =>
      sandbox.control(`POST /idrx/redeems/${reference}/${end}`),
    arm: (kind: string, times = 1, ms = 20) =>
      sandbox.control('POST /faults', { provider: 'idrx', kind, times, ms }),
    mints: (reference: string) =>
      sandbox.world.records.list('idrx', 'mint', { where: { productDetails: reference } }),
    redeems: (reference: string) =>
      sandbox.world.records.list('idrx', 'redeem', { where: { notes: reference } }),
  };
}

let burns = 0;
/** A burn of 50,000 tokens, each another one, of which 45,000 rupiah arrive. */
export function redeemWish(): RedeemWish {
  burns += 1;
  const hash = `0x${burns.toString(16).padStart(64, '0')}`;
  return {
    reference: newReference('REDEEM'),
    units: 4_500_000n,
    to: { bankCode: 'BCA', accountNumber: '1234567890', accountName: 'Siti Rahma' },
    description: 'Redeem',
    burnt: { chain: 'amoy', hash, address: WALLET, units: 5_000_000n },
  };
}
