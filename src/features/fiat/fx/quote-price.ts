import { fail } from '#kernel/error.ts';
import { type Money, SCALE } from '#kernel/money/money.ts';
import { divide, formatRate, parseRate, type Rate } from '#kernel/money/rate.ts';
import type { RateReading } from '#providers/fx/port.ts';
import { type CONVERTIBLE, type Conversion, convertVia, rateFor } from './convert.ts';

/** Currencies that quotes are made in. */
export type Quotable = (typeof CONVERTIBLE)[number];

/** What a quote is asked for: the amount of one side is fixed, and the other one is worked out. */
export type QuoteWish =
  | { readonly from: Money<Quotable>; readonly to: Quotable }
  | { readonly from: Quotable; readonly to: Money<Quotable> };

export interface QuotePrice {
  readonly fixed_side: 'from' | 'to';
  readonly conversion: Conversion & {
    readonly from: Money<Quotable>;
    readonly result: Money<Quotable>;
  };
  /** What rounding leaves to the platform, in the currency whose amount was worked out: decimal text. */
  readonly residue: string;
}

const WHOLE = 10_000n;
const RESIDUE_DIGITS = 6;

/**
 * The price of a quote: over USDC at the middle of the market, less the spread. Every rounding goes against the caller,
 * so that no sequence of quotes of one reading ends with more than it began with.
 */
export function priceQuote(rates: RateReading, wish: QuoteWish, bps: number): QuotePrice {
  const spread = BigInt(bps);
  return typeof wish.to === 'string'
    ? priceOfSold(rates, wish as { from: Money<Quotable>; to: Quotable }, spread)
    : priceOfBought(rates, wish as { from: Quotable; to: Money<Quotable> }, spread);
}

function priceOfSold(
  rates: RateReading,
  { from, to }: { readonly from: Money<Quotable>; readonly to: Quotable },
  bps: bigint,
): QuotePrice {
  const rate = parseRate(rateFor(rates, from.asset, 'USDC'));
  const left = scaled(
    {
      numerator: from.units * rate.numerator * (WHOLE - bps),
      denominator: rate.denominator * WHOLE,
    },
    from.asset,
    'USDC',
  );
  // Off what it is exactly worth: half-even may have rounded up, which would be a part of the spread, or a gain.
  const units = left.numerator / left.denominator;
  const conversion = convertVia(rates, { from, to, less: ({ asset }) => ({ asset, units }) });
  if (conversion.result.units < 1n)
    throw fail('AMOUNT_BELOW_MINIMUM', `The amount comes to less than the smallest unit of ${to}`);
  const [rate_in, rate_out] = [parseRate(conversion.rate_in), parseRate(conversion.rate_out)];
  const worth = {
    numerator: from.units * rate_in.numerator * rate_out.numerator * (WHOLE - bps),
    denominator: rate_in.denominator * rate_out.denominator * WHOLE,
  };
  const inUnits = scaled(worth, from.asset, to);
  const residue = residueOf(to, {
    numerator: inUnits.numerator - conversion.result.units * inUnits.denominator,
    denominator: inUnits.denominator,
  });
  return { fixed_side: 'from', conversion, residue };
}

function priceOfBought(
  rates: RateReading,
  { from, to }: { readonly from: Quotable; readonly to: Money<Quotable> },
  bps: bigint,
): QuotePrice {
  const rate_in = rateFor(rates, from, 'USDC');
  const rate_out = rateFor(rates, 'USDC', to.asset);
  const usdc = backward(to, rate_out, 'USDC');
  const whole = divide(usdc.units * WHOLE, WHOLE - bps, 'up');
  const sold = backward({ asset: 'USDC', units: whole }, rate_in, from);
  const [a, b] = [parseRate(rate_in), parseRate(rate_out)];
  const cost = {
    numerator: to.units * a.denominator * b.denominator * WHOLE,
    denominator: a.numerator * b.numerator * (WHOLE - bps),
  };
  const inUnits = scaled(cost, to.asset, from);
  const residue = residueOf(from, {
    numerator: sold.units * inUnits.denominator - inUnits.numerator,
    denominator: inUnits.denominator,
  });
  const { source, at } = rates;
  const route = routeOf(from, to.asset);
  const conversion = { from: sold, usdc, result: to, route, rate_in, rate_out, source, at };
  return { fixed_side: 'to', conversion, residue };
}

/** So much of an asset that it comes to at least that money at the rate; rounded up. */
function backward<A extends Quotable>(money: Money<Quotable>, rate: string, asset: A): Money<A> {
  const { numerator, denominator } = parseRate(rate);
  const { numerator: top, denominator: under } = scaled(
    { numerator: money.units * denominator, denominator: numerator },
    money.asset,
    asset,
  );
  return { asset, units: divide(top, under, 'up') };
}

/** A number of one asset's units in those of another. */
const scaled = ({ numerator, denominator }: Rate, from: Quotable, to: Quotable): Rate => ({
  numerator: numerator * 10n ** BigInt(SCALE[to]),
  denominator: denominator * 10n ** BigInt(SCALE[from]),
});

function residueOf(asset: Quotable, { numerator, denominator }: Rate): string {
  const scale = SCALE[asset];
  const rate = { numerator, denominator: denominator * 10n ** BigInt(scale) };
  return formatRate(rate, scale + RESIDUE_DIGITS, 'down');
}

const routeOf = (from: Quotable, to: Quotable): string =>
  [from, 'USDC', to].filter((stop, i, all) => stop !== all[i - 1]).join(' → ');
