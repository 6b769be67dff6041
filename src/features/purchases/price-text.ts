import { type Money, SCALE } from '#kernel/money/money.ts';
import { currenciesOf, PLAIN, type PriceCurrency, USAGES } from './currencies.ts';

export type Price = Money<PriceCurrency>;

/** A price in whole units, or why there is none. */
export type PriceReading = { readonly price: Price } | { readonly unreadable: Unreadable };
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
 * Reads what people write as a price, exactly (docs/decisions/0049). One amount with one currency and
 * nothing else; whatever can be read in two ways is not read at all.
 */
export function readPrice(text: string): PriceReading {
  if (text.length > TEXT_MAX) return { unreadable: 'no amount' };
  const clean = text.normalize('NFKC').replace(/[’ʼ]/g, "'").replace(/\s+/gu, ' ').trim();
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

/** What all the signs agree on. */
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

/** Nothing for what is not written as amounts in that currency are. */
function unitsOf(amount: string, asset: PriceCurrency): bigint | undefined {
  const decimal = decimalMark(amount, asset);
  if (decimal === 'ambiguous') return undefined;
  const at = decimal === undefined ? amount.length : amount.lastIndexOf(decimal);
  const whole = ungrouped(amount.slice(0, at), asset);
  const fraction = amount.slice(at + 1);
  if (whole === undefined || !/^\d*$/.test(fraction)) return undefined;
  const scale = SCALE[asset];
  // Where a currency has no smaller unit, shops still write ,00.
  const kept = scale === 0 && /^0{0,2}$/.test(fraction) ? '' : fraction;
  if (kept.length > scale || whole.length + scale > DIGITS_MAX) return undefined;
  return BigInt(whole + kept.padEnd(scale, '0'));
}

/** The mark before the fraction; nothing where there is none. */
function decimalMark(amount: string, asset: PriceCurrency): string | undefined {
  const marks = amount.replace(/[\d' ]/g, '');
  const last = marks.at(-1);
  if (last === undefined) return undefined;
  const isMixed = new Set(marks).size > 1;
  const isSpaced = /[' ]/.test(amount);
  const count = marks.split(last).length - 1;
  if (count > 1) return isMixed || isSpaced ? 'ambiguous' : undefined;
  if (isMixed || isSpaced) return last;
  const [head = '', tail = ''] = amount.split(last);
  if (tail.length !== 3 || head.length > 3 || head.startsWith('0')) return last;
  return (USAGES[asset].groups as readonly string[]).includes(last) ? undefined : 'ambiguous';
}

/** The digits of a whole amount; nothing where they are not grouped as one. */
function ungrouped(whole: string, asset: PriceCurrency): string | undefined {
  const [mark, ...others] = new Set(whole.replace(/\d/g, ''));
  if (others.length > 0) return undefined;
  const digits = whole.replace(/\D/g, '');
  if (digits.length > 1 && digits.startsWith('0')) return undefined;
  if (mark === undefined) return digits;
  const [first = '', ...groups] = whole.split(mark);
  const inThrees = /^\d{1,3}$/.test(first) && groups.every((group) => group.length === 3);
  const last = groups.pop();
  const inTwos =
    USAGES[asset].byTwos === true &&
    /^\d{1,2}$/.test(first) &&
    last?.length === 3 &&
    groups.every((group) => group.length === 2);
  return inThrees || inTwos ? digits : undefined;
}
