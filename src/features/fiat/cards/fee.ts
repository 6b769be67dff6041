import { readRates } from '#features/fiat/fx/fx.ts';
import { type Requester, requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { priceOf, worthAtMost } from '#kernel/money/cost.ts';
import { type Asset, format, type Money, percent } from '#kernel/money/money.ts';
import { divide } from '#kernel/money/rate.ts';
import { spendPlatformCost } from '#kernel/quota/platform-costs.ts';
import { transact } from '#kernel/transact.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

/** Contract part 3, Limits: card fee. */
export const FEE_PERCENT = 3;

export interface Shares {
  /** The part of the platform. */
  readonly fee: bigint;
  /** The part of the wallet. */
  readonly net: bigint;
}

/** The parts of a checkout, in units: 3 percent rounded up are the fee, the wallet gets the rest. */
export function checkoutShares<A extends Asset>(amount: Money<A>): Shares {
  const fee = percent(amount, String(FEE_PERCENT), 'up').units;
  return { fee, net: amount.units - fee };
}

/**
 * The parts of a refund of `amount` units: the platform pays its share of the original fee, rounded down, the wallet the
 * rest. In a whole refund each pays exactly what it got.
 */
export function refundShares(
  amount: bigint,
  original: { readonly amount: bigint; readonly platform_fee: bigint },
): Shares {
  const fee = (original.platform_fee * amount) / original.amount;
  return { fee, net: amount - fee };
}

/** Counts the network's price for what is taken from a card without a card fee. Throws RATE_LIMITED. */
export async function spendCardCost(
  tx: Db,
  deps: Pick<Kernel, 'config' | 'prices' | 'quotas'>,
  requester: Requester,
  amount: Money,
): Promise<void> {
  const cost = deps.prices('card.top_up', amount);
  if (deps.config.MOCK_MODE || cost.units === 0n) return;
  const units = worthAtMost(undefined, [cost]);
  const isOwn = deps.config.CARD_NETWORK_URL === undefined;
  await spendPlatformCost(tx, deps, { name: 'card payments', units, isOwn }, requester);
}

type CostDeps = Pick<Kernel, 'db' | 'config' | 'prices' | 'quotas'> & {
  readonly fx: ExchangeRates;
};

/**
 * Throws INVALID_AMOUNT, with the least possible amount, for a top-up whose fee is below the network's price at current
 * rates. Mock mode has no network and no price.
 */
export async function requireFeeCoversCost(
  { config, prices, fx }: CostDeps,
  amount: Money,
  fee: bigint,
): Promise<void> {
  const cost = prices('card.top_up', amount);
  if (config.MOCK_MODE || cost.units === 0n) return;
  const price = priceOf(await readRates(fx), [cost], amount.asset);
  if (price === undefined || fee >= price.units) return;
  const least = { ...amount, units: whereCardFeeIs(price.units) };
  const minimum = `${format(least)} ${amount.asset}`;
  throw fail('INVALID_AMOUNT', `Amount must be at least ${minimum}`, {
    details: { field: 'amount', minimum: format(least), currency: amount.asset },
    hint: `Send at least ${minimum}: the fee of less does not cover the card network’s price.`,
  });
}

/** The least amount whose fee, rounded up, is that much. */
export const whereCardFeeIs = (fee: bigint): bigint =>
  divide((fee - 1n) * 100n, BigInt(FEE_PERCENT), 'down') + 1n;

/** Counts the network's price for a push; the card gets exactly the amount. Throws RATE_LIMITED. */
export async function spendPushCost(
  deps: CostDeps,
  { caller, request }: { readonly caller: UserCaller; readonly request: Pick<RequestFacts, 'ip'> },
  amount: Money,
): Promise<void> {
  const cost = deps.prices('card.push', amount);
  if (deps.config.MOCK_MODE || cost.units === 0n) return;
  const units = worthAtMost(undefined, [cost]);
  const isOwn = deps.config.CARD_NETWORK_URL === undefined;
  await transact(deps.db, (tx) =>
    spendPlatformCost(
      tx,
      deps,
      { name: 'card pushes', units, isOwn },
      requesterOf(caller, request),
    ),
  );
}
