import { type Static, Type } from 'typebox';
import type { Asset } from '#kernel/money/money.ts';
import { formatRate, parseRate } from '#kernel/money/rate.ts';

/** `GET /v2/exchange-rates?currency=USD`: the price of a dollar in all currencies. */
export const WireRates = Type.Object({
  data: Type.Object({
    currency: Type.Literal('USD'),
    rates: Type.Record(Type.String(), Type.String()),
  }),
});
export type WireRates = Static<typeof WireRates>;

/** Units of each currency for a dollar, as decimal text; only those that parse as a rate. */
export type Table = ReadonlyMap<string, string>;

export function toTable({ data }: WireRates): Table {
  const usable = Object.entries(data.rates).filter(([, rate]) => isRate(rate));
  return new Map([...usable, ['USD', '1']]);
}

/** Zero would be a price of nothing, or of everything. */
const isRate = (text: string): boolean =>
  /^\d{1,30}(\.\d{1,30})?$/.test(text) && /[1-9]/.test(text);

const DIGITS = 18;

/** Undefined if one of them has no price. Rounded down at the eighteenth decimal. */
export function rateOf(table: Table, from: Asset, to: Asset): string | undefined {
  const [of, into] = [table.get(nameOf(from)), table.get(nameOf(to))];
  if (of === undefined || into === undefined) return undefined;
  const [a, b] = [parseRate(of), parseRate(into)];
  const rate = formatRate(
    { numerator: b.numerator * a.denominator, denominator: b.denominator * a.numerator },
    DIGITS,
    'down',
  );
  return /[1-9]/.test(rate) ? rate : undefined;
}

/** Our token is a promise of one rupiah each. */
const nameOf = (asset: Asset): string => (asset === 'IDRT' ? 'IDR' : asset);
