import { readRates } from '#features/fiat/fx/fx.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { priceOf, worthAtMost } from '#kernel/money/cost.ts';
import { format, type Money } from '#kernel/money/money.ts';
import { divide } from '#kernel/money/rate.ts';
import { spendPlatformCost } from '#kernel/quota/platform-costs.ts';
import { transact } from '#kernel/transact.ts';
import { FEE_PERCENT } from './fee.ts';
import type { CardDeps } from './transaction.ts';

/**
 * Throws INVALID_AMOUNT for a top-up whose fee is less than the network takes for it at the rates of now, with the
 * least that pays for it. In mock mode the network is not asked.
 */
export async function mustPayForTopUp(
  { config, prices, fx }: CardDeps,
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
    hint: `Send at least ${minimum}: the fee of less does not pay for what the card network takes.`,
  });
}

/** The least amount whose fee, of which a started unit counts, is that much. */
export const whereCardFeeIs = (fee: bigint): bigint =>
  divide((fee - 1n) * 100n, BigInt(FEE_PERCENT), 'down') + 1n;

/** Counts what the network takes for a push, of which the card gets exactly the amount. Throws RATE_LIMITED. */
export async function spendPushCost(
  deps: CardDeps,
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
