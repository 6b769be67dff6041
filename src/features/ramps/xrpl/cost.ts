import type { XrplNetwork } from '#chains/xrpl/port.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { readMarket } from '#features/fiat/fx/fx.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { type Market, priceOf, worthAtMost } from '#kernel/money/cost.ts';
import type { Money } from '#kernel/money/money.ts';
import type { PriceList } from '#kernel/money/price-list.ts';
import { spendPlatformCost } from '#kernel/quota/platform-costs.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { XrplDeps } from './deps.ts';

/** How many payments the platform signs for an operation, at the most. */
const PAYMENTS = {
  /** From the issuer. */
  onramp: 1n,
  /** To an address or the issuer, and before that from the issuer where it is sponsored. */
  offramp: 2n,
  /** The same, and from the issuer once more where the bank refuses. */
  bank: 3n,
} as const;
type Operation = keyof typeof PAYMENTS;

/** A conversion may round up by half a millionth. */
const ROUNDING: Money = { asset: 'USDC', units: 1n };

/**
 * The platform's cost of an operation at the ledger's fee and the present price, in millionths of a USDC, rounded
 * up. It opens no account and no trust line.
 */
export async function ledgerCost(
  { xrpl, fx }: { readonly xrpl: Pick<XrplNetwork, 'paymentFee'>; readonly fx: ExchangeRates },
  operation: Operation,
): Promise<bigint> {
  const fees: Money = { asset: 'XRP', units: PAYMENTS[operation] * xrpl.paymentFee() };
  return worthAtMost(await readMarket(fx), [fees, ROUNDING]);
}

/**
 * The fee that a bank transfer is reduced by, in units of its currency: the gateway's price in whole rupiah, or the
 * bank host's. Throws PROVIDER_UNAVAILABLE where no market values that.
 */
export function transferFee(prices: PriceList, market: Market, asset: Fiat): bigint {
  if (asset !== 'IDR') {
    const price = priceOf(market, [prices('bank.payout')], asset);
    if (price === undefined)
      throw fail('PROVIDER_UNAVAILABLE', `No exchange rate from USD to ${asset} is available`);
    return price.units;
  }
  const { units } = prices('gateway.payout');
  return ((units + RUPIAH - 1n) / RUPIAH) * RUPIAH;
}
const RUPIAH = 100n;

/**
 * Counts what an operation costs, in the transaction that begins it: the contract has no fee and takes a millionth
 * of a USDC. Throws RATE_LIMITED.
 */
export async function spendCost(
  tx: Db,
  { quotas, config, xrpl }: Pick<XrplDeps, 'quotas' | 'config' | 'xrpl'>,
  { caller, request }: { readonly caller: UserCaller; readonly request: RequestFacts },
  units: bigint,
): Promise<void> {
  const cost = { name: 'XRPL payments', units, isOwn: xrpl.isOwn };
  await spendPlatformCost(tx, { quotas, config }, cost, requesterOf(caller, request));
}
