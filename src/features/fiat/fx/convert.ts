import { FIAT, type Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { dryRunNow } from '#kernel/dry-run.ts';
import { fail } from '#kernel/error.ts';
import type { Market } from '#kernel/money/cost.ts';
import { convert, type Money } from '#kernel/money/money.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import type { ExchangeRates, RateReading } from '#providers/fx/port.ts';

/** Assets of conversions: the currencies of wallets, and USDC, which every conversion goes through. */
export const CONVERTIBLE = [...FIAT, 'USDC'] as const;
/** `EUR` and the like: shops' currencies that no wallet of ours holds. */
export type Convertible = Fiat | 'USDC' | 'EUR' | 'GBP' | 'JPY';

/** One conversion, as it is shown and recorded. `Date`-free, so that a flow can keep it. */
export interface Conversion {
  readonly from: Money<Convertible>;
  /** The USDC between the two currencies, from which `result` was computed, less fees. */
  readonly usdc: Money<'USDC'>;
  readonly result: Money<Convertible>;
  /** `IDR → USDC → SGD`. */
  readonly route: string;
  /** USDC for one of `from`, and `result` for one USDC: decimal text. */
  readonly rate_in: string;
  readonly rate_out: string;
  readonly source: string;
  /** When the rates were read, ISO 8601. */
  readonly at: string;
}

const RETRY_S = 5;

/** The present rates. PROVIDER_UNAVAILABLE when there are no recent ones. */
export async function readRates(fx: ExchangeRates): Promise<RateReading> {
  const found = await fx.read();
  if (isNotConfigured(found)) throw notConfigured('The source of exchange rates');
  if (found.kind === 'done') return found.value;
  throw fail('PROVIDER_UNAVAILABLE', 'No recent exchange rates are available', {
    retryAfter: RETRY_S,
  });
}

/** The present rates, for callers that can do without them. */
export async function readMarket(fx: ExchangeRates): Promise<Market | undefined> {
  const found = await fx.read();
  return found.kind === 'done' ? found.value : undefined;
}

/** The same for policies, which look at every payment: a dry run makes no call for them. */
export const readPolicyMarket = async (fx: ExchangeRates): Promise<Market | undefined> =>
  dryRunNow() ? fx.known?.() : readMarket(fx);

/**
 * From any currency over USDC to any: USDC rounded half-even to its 6 decimals and never less than 0.000001
 * (AMOUNT_BELOW_MINIMUM), the result rounded down. `less` takes fees off in between.
 */
export function convertVia<F extends Convertible, T extends Convertible>(
  rates: RateReading,
  given: {
    readonly from: Money<F>;
    readonly to: T;
    readonly less?: (usdc: Money<'USDC'>) => Money<'USDC'>;
  },
): Conversion & { readonly from: Money<F>; readonly result: Money<T> } {
  const { from, to, less = (usdc) => usdc } = given;
  const rate_in = rateFor(rates, from.asset, 'USDC');
  const rate_out = rateFor(rates, 'USDC', to);
  const usdc = less(convert(from, rate_in, 'USDC', 'half-even'));
  // A result rounded up to its smallest unit would give more than its worth.
  if (usdc.units < 1n || convert(from, rate_in, 'USDC', 'down').units < 1n)
    throw fail('AMOUNT_BELOW_MINIMUM', 'The amount comes to less than 0.000001 USDC');
  const result = convert(usdc, rate_out, to, 'down');
  return { ...toAppError(rates, from.asset, to), from, usdc, result, rate_in, rate_out };
}

/** The price of exactly that much USDC in a currency, rounded up to its minor unit. */
export function costOf<F extends Convertible>(
  rates: RateReading,
  usdc: Money<'USDC'>,
  asset: F,
): Conversion & { readonly from: Money<F>; readonly result: Money<'USDC'> } {
  const from = convert(usdc, rateFor(rates, 'USDC', asset), asset, 'up');
  const rate_in = rateFor(rates, asset, 'USDC');
  return { ...toAppError(rates, asset, 'USDC'), from, usdc, result: usdc, rate_in, rate_out: '1' };
}

/** The rate between two assets of one reading. Throws PROVIDER_UNAVAILABLE where there is none. */
export function rateFor(rates: RateReading, from: Convertible, to: Convertible): string {
  const rate = from === to ? '1' : rates.rateOf(from, to);
  if (rate === undefined)
    throw fail('PROVIDER_UNAVAILABLE', `No exchange rate from ${from} to ${to} is available`, {
      retryAfter: RETRY_S,
    });
  return rate;
}

function toAppError({ source, at }: RateReading, from: Convertible, to: Convertible) {
  const stops = [from, 'USDC', to].filter((stop, i, all) => stop !== all[i - 1]);
  return { route: stops.join(' → '), source, at };
}
