import { fail } from '#kernel/error.ts';
import { convert, type Money } from '#kernel/money/money.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import type { Offer } from '#providers/catalogue/port.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

/** Dollars for a rupiah, with the time of the rate. */
export interface RupiahRate {
  readonly rate: string;
  readonly at: string;
}

/** An offer's price in dollars. */
export interface Price {
  readonly original: Money<'USD' | 'IDR'>;
  readonly usd: Money<'USD'>;
  readonly shipping: Money<'USD'>;
  readonly total: Money<'USD'>;
  /** Missing where nothing was converted. */
  readonly fx?: RupiahRate;
}

const RETRY_S = 5;

/** The present rate. Throws PROVIDER_UNAVAILABLE where the provider has none. */
export async function readRupiahRate(fx: ExchangeRates): Promise<RupiahRate> {
  const outcome = await fx.rate('IDR', 'USD');
  if (outcome.kind === 'done') return outcome.value;
  if (isNotConfigured(outcome)) throw notConfigured('The provider of exchange rates');
  throw fail('PROVIDER_UNAVAILABLE', 'No exchange rate from IDR to USD is available', {
    retryAfter: RETRY_S,
  });
}

/** Rounded up to the cent, since the shop gets its full price. `fx` is needed for rupiah. */
export function marketplacePriceOf(
  { price, shipping }: Pick<Offer, 'price' | 'shipping'>,
  fx: RupiahRate | undefined,
): Price {
  const inDollars = ({ asset, units }: Money<'USD' | 'IDR'>): Money<'USD'> => {
    if (asset === 'USD') return { asset, units };
    if (fx === undefined) throw new Error('Rupiah without a rate');
    return convert({ asset, units }, fx.rate, 'USD', 'up');
  };
  const [usd, sent] = [inDollars(price), inDollars(shipping)];
  return {
    original: price,
    usd,
    shipping: sent,
    total: { asset: 'USD', units: usd.units + sent.units },
    ...(price.asset === 'IDR' && fx && { fx }),
  };
}

/** Dollars are paid in USDC one for one. */
export const usdcOf = (total: Money<'USD'>): Money<'USDC'> => convert(total, '1', 'USDC', 'up');
