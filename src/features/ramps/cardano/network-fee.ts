import type { Cardano } from '#chains/cardano/port.ts';
import { fail } from '#kernel/error.ts';
import { type Market, priceOf, uncovered } from '#kernel/money/cost.ts';
import { convert, format, type Money } from '#kernel/money/money.ts';
import type { PriceList } from '#kernel/money/price-list.ts';
import type { CardanoTerms } from './terms.ts';

/** The ways of an order's money that cost something. */
interface Ways {
  readonly to: string | null;
  readonly isFromCard: boolean;
  readonly isPaidOut: boolean;
}

/** The network's fee that the treasury pays for an order, in lovelace: a mint, and a burn where it goes on. */
async function networkCost(
  cardano: Pick<Cardano, 'costOf'>,
  { usdc: units, out }: Pick<CardanoTerms, 'usdc' | 'out'>,
  to: string | null,
): Promise<Money<'ADA'>> {
  const mint = await cardano.costOf({ kind: 'mint', units, to: to ?? undefined });
  const burn = out ? await cardano.costOf({ kind: 'burn', units }) : 0n;
  return { asset: 'ADA', units: mint + burn };
}

/**
 * The charge on top of an order's amount, in units of its currency: the part that the percentages do not cover of
 * the cost of the network, a card payment and a bank transfer, at the rates of the order (contract: each plus a
 * network fee). Throws AMOUNT_BELOW_MINIMUM, with the minimum, for an amount below that cost.
 */
export async function networkFee(
  { cardano, prices }: { readonly cardano: Pick<Cardano, 'costOf'>; readonly prices: PriceList },
  rates: Market,
  terms: CardanoTerms,
  { to, isFromCard, isPaidOut }: Ways,
): Promise<bigint> {
  const { out } = terms;
  return feeFor(rates, terms, [
    await networkCost(cardano, terms, to),
    ...(isFromCard ? [prices('card.top_up', terms.amount)] : []),
    ...(isPaidOut ? [prices(out?.currency === 'IDR' ? 'gateway.payout' : 'bank.payout')] : []),
  ]);
}

/** The same for costs that are known. */
export function feeFor(rates: Market, terms: CardanoTerms, costs: readonly Money[]): bigint {
  const { amount, onrampFee, out } = terms;
  const { asset } = amount;
  // A conversion may round up by half a millionth.
  const rounding: Money = { asset: 'USDC', units: 1n };
  const price = priceOf(rates, [...costs, rounding], asset);
  if (price === undefined)
    throw fail('PROVIDER_UNAVAILABLE', `No exchange rate from ADA to ${asset} is available`, {
      retryAfter: RETRY_S,
    });
  if (amount.units < price.units) throw belowMinimum(price);
  return uncovered(price.units, onrampFee, offrampShare(rates, asset, out));
}
const RETRY_S = 5;

/** The off-ramp's percentage in the currency that pays, rounded down. */
function offrampShare(rates: Market, asset: Money['asset'], out: CardanoTerms['out']): bigint {
  if (!out) return 0n;
  const rate = out.currency === asset ? '1' : rates.rateOf(out.currency, asset);
  return rate === undefined
    ? 0n
    : convert({ asset: out.currency, units: out.fee }, rate, asset, 'down').units;
}

function belowMinimum(least: Money) {
  const minimum = `${format(least)} ${least.asset}`;
  return fail('AMOUNT_BELOW_MINIMUM', `fiat_amount must be at least ${minimum}`, {
    details: { field: 'fiat_amount', minimum: format(least), currency: least.asset },
    hint: `Send at least ${minimum}: less does not pay for what the network takes.`,
  });
}
