import { type NumberReading, plainForms, readingsOf } from '#kernel/money/amount-text.ts';
import { type Money, SCALE } from '#kernel/money/money.ts';
import { currenciesOf, PLAIN, type PriceCurrency, USAGES } from './price-currencies.ts';

export type PurchasePrice = Money<PriceCurrency>;

/** A price in whole units, or why there is none. */
export type PriceReading = { readonly price: PurchasePrice } | { readonly unreadable: Unreadable };
export type Unreadable =
  | 'no amount'
  | 'no currency'
  | 'unknown currency'
  | 'ambiguous'
  | 'no price';

const TEXT_MAX = 64;
const DIGITS_MAX = 15;
const AMOUNT = /^([^\d]*?)\s*(\d(?:[\d.,' ]*\d)?)\s*([^\d]*)$/u;
/** As in `25.000,-`. */
const DASHES = /^[.,][-–—]+/u;

/**
 * Reads a price as people write it, exactly (docs/design/commerce.md#49): one amount with one currency and nothing
 * else. A text with two readings has none.
 */
export function readPrice(text: string): PriceReading {
  if (text.length > TEXT_MAX) return { unreadable: 'no amount' };
  const clean = plainForms(text).replace(/[’ʼ]/g, "'").replace(/\s+/gu, ' ').trim();
  const [, before, amount, after] = AMOUNT.exec(clean) ?? [];
  if (before === undefined || amount === undefined || after === undefined)
    return { unreadable: 'no amount' };
  const asset = currencyIn(`${before} ${after.replace(DASHES, '')}`);
  if (typeof asset === 'object') return asset;
  const units = unitsOf(amount, asset);
  if (units === undefined) return { unreadable: 'ambiguous' };
  return units > 0n ? { price: { asset, units } } : { unreadable: 'no price' };
}

type Refused = { readonly unreadable: Unreadable };

/** The currency that all signs agree on. */
function currencyIn(signs: string): PriceCurrency | Refused {
  const words = signs.split(' ').filter(Boolean).flatMap(known);
  if (words.length === 0) return { unreadable: 'no currency' };
  const [first = [], ...others] = words.map(currenciesOf);
  const agreed = first.filter((currency) => others.every((other) => other.includes(currency)));
  const [only, another] = agreed;
  if (only === undefined) {
    const isForeign = words.some((word) => currenciesOf(word).length === 0);
    return { unreadable: isForeign ? 'unknown currency' : 'ambiguous' };
  }
  if (another === undefined) return only;
  return PLAIN[words[0] ?? ''] ?? { unreadable: 'ambiguous' };
}

/** `USD$` is two signs in one word. */
function known(word: string): string[] {
  if (currenciesOf(word).length > 0) return [word];
  return word.match(/\p{L}+|\P{L}+/gu) ?? [];
}

/** Undefined where amounts in that currency are not written so, or the text has two readings. */
function unitsOf(amount: string, asset: PriceCurrency): bigint | undefined {
  const { whole, fraction } = usualReading(amount, asset) ?? {};
  if (whole === undefined || fraction === undefined) return undefined;
  const scale = SCALE[asset];
  // Where a currency has no smaller unit, shops still write ,00.
  const kept = scale === 0 && /^0{0,2}$/.test(fraction) ? '' : fraction;
  if (kept.length > scale || whole.length + scale > DIGITS_MAX) return undefined;
  return BigInt(whole + kept.padEnd(scale, '0'));
}

/** Of two readings the grouped one, where the currency's users part thousands by that mark. */
function usualReading(amount: string, asset: PriceCurrency): NumberReading | undefined {
  const { groups, byTwos } = USAGES[asset];
  const readings = readingsOf(amount, byTwos);
  if (readings.length < 2) return readings[0];
  const isGroup = groups.some((mark) => amount.includes(mark));
  return isGroup ? readings.find(({ fraction }) => fraction === '') : undefined;
}
