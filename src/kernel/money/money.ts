import { fail } from '../error.ts';
import { divide, parseRate, type Rounding } from './rate.ts';

const KNOWN = {
  USD: 2,
  SGD: 2,
  AUD: 2,
  INR: 2,
  IDR: 2,
  VND: 0,
  EUR: 2,
  GBP: 2,
  JPY: 0,
  USDC: 6,
  IDRT: 2,
  ADA: 6,
  XRP: 6,
  ETH: 18,
  POL: 18,
  NEON: 18,
  POINTS: 0,
} as const;

/**
 * Decimals of an asset's unit. Never change one: the ledger's history is counted in it. The ledger may
 * have more assets than the code names (`setAssets`), which `isAsset` knows like these.
 */
export const SCALE: Readonly<typeof KNOWN> = { ...KNOWN };

export type Asset = keyof typeof KNOWN;

export const isAsset = (text: string): text is Asset => Object.hasOwn(SCALE, text);

/**
 * These are the ledger's assets, beside those that the code names. Throws where one of those has other
 * decimals there: every amount would mean something else.
 */
export function setAssets(
  rows: readonly { readonly asset: string; readonly scale: number }[],
): void {
  const scales: Record<string, number> = { ...KNOWN };
  for (const { asset, scale } of rows) {
    if ((scales[asset] ?? scale) !== scale)
      throw new Error(`${asset} has ${scales[asset]} decimals here, and ${scale} in the ledger`);
    scales[asset] = scale;
  }
  for (const asset of Object.keys(SCALE))
    if (!Object.hasOwn(scales, asset)) Reflect.deleteProperty(SCALE, asset);
  Object.assign(SCALE, scales);
}

/** A whole number of an asset's units: what an amount is between the wire and the database. */
export interface Money<A extends Asset = Asset> {
  readonly asset: A;
  readonly units: bigint;
}

const DIGITS_MAX = 30;
/** A float keeps all decimals of this many digits distinct; beyond, what the sender wrote is lost. */
const FLOAT_DIGITS = 15;

/** `100.00` is written in every currency, also where it has no smaller unit. */
const USUAL_DECIMALS = 2;

/**
 * Reads an amount from the wire: zero or more, digits and a point only. Never rounds: what has more
 * decimals than the asset, or came as a number too long to be exact, is a VALIDATION_ERROR. So are zeros
 * beyond the asset's decimals (and beyond two): `100.000` VND is a hundred thousand to its sender.
 */
export function money<A extends Asset>(asset: A, amount: string | number): Money<A> {
  const text = typeof amount === 'number' ? exactText(amount) : amount;
  const [, whole, fraction = ''] = /^(0|[1-9]\d{0,99})(?:\.(\d{1,99}))?$/.exec(text) ?? [];
  if (whole === undefined) {
    throw fail('VALIDATION_ERROR', 'Amount must be a non-negative decimal number');
  }
  const decimals = fraction.replace(/0+$/, '');
  if (decimals.length > SCALE[asset] || fraction.length > Math.max(SCALE[asset], USUAL_DECIMALS)) {
    throw fail(
      'VALIDATION_ERROR',
      `Amount has more than the ${SCALE[asset]} decimals of ${asset}`,
      {
        hint: `Round it to ${SCALE[asset]} decimals before it is sent: what a caller asks for is never rounded here.`,
      },
    );
  }
  if (whole.length + fraction.length > DIGITS_MAX) {
    throw fail('VALIDATION_ERROR', `Amount has more than ${DIGITS_MAX} digits`);
  }
  return { asset, units: BigInt(whole + decimals.padEnd(SCALE[asset], '0')) };
}

/** The exact decimal, with all of the asset's decimals: `1500.00`. */
export function format({ asset, units }: Money): string {
  const scale = SCALE[asset];
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A fiat amount as the JSON number the contract wants. Throws where a float would not be exact. */
export function toWire(amount: Money): number {
  const text = format(amount);
  if (text.replace(/\D/g, '').replace(/^0+/, '').length > FLOAT_DIGITS) {
    throw new Error(`${text} ${amount.asset} has no exact JSON number`);
  }
  return Number(text);
}

/**
 * A sum as a JSON number, for what is only looked at: of what no number holds exactly, the nearest one. (Ten trillion
 * with cents is more than one payment may be, but not more than many are together.)
 */
export const sumToWire = (sum: Money): number => Number(format(sum));

/** A share in basis points: 0.5 % is 50. */
export function share<A extends Asset>(
  amount: Money<A>,
  basisPoints: bigint,
  rounding: Rounding,
): Money<A> {
  if (basisPoints < 0n) throw new Error('A share is not negative');
  return { asset: amount.asset, units: divide(amount.units * basisPoints, 10_000n, rounding) };
}

/** A share given as percent in decimal text: `'0.25'`. */
export function percent<A extends Asset>(
  amount: Money<A>,
  text: string,
  rounding: Rounding,
): Money<A> {
  const { numerator, denominator } = parseRate(text);
  return {
    asset: amount.asset,
    units: divide(amount.units * numerator, denominator * 100n, rounding),
  };
}

/** What the money is in another asset; `rate` is units of `to` per unit of it, `'15875.50'`. */
export function convert<B extends Asset>(
  from: Money,
  rate: string,
  to: B,
  rounding: Rounding,
): Money<B> {
  const { numerator, denominator } = parseRate(rate);
  const units = divide(
    from.units * numerator * 10n ** BigInt(SCALE[to]),
    denominator * 10n ** BigInt(SCALE[from.asset]),
    rounding,
  );
  return { asset: to, units };
}

function exactText(amount: number): string {
  const text = String(amount);
  if (text.replace(/\D/g, '').replace(/^0+/, '').length > FLOAT_DIGITS) {
    throw fail('VALIDATION_ERROR', 'Amount has too many digits for a number; send it as text');
  }
  return text;
}
