/**
 * Where a division goes that leaves a rest. Fees go up, payouts down; `nearest` is for display, and
 * `half-even` for USDC in conversions: the nearest, and of two as near the even one.
 */
export type Rounding = 'up' | 'down' | 'nearest' | 'half-even';

/** A rate or percentage, exactly. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Reads a decimal such as `'15875.50'`. Callers send no rates, so a bad one is a fault. */
export function parseRate(text: string): Rate {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`Not a rate: ${JSON.stringify(text)}`);
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

/** The rate as decimal text with at most `digits` decimals. */
export function formatRate(rate: Rate, digits: number, rounding: Rounding): string {
  const scaled = divide(rate.numerator * 10n ** BigInt(digits), rate.denominator, rounding);
  const text = scaled.toString().padStart(digits + 1, '0');
  if (digits === 0) return text;
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}

/** The rate of the way back, to `digits` decimals. */
export function inverse(rate: string, digits: number, rounding: Rounding): string {
  const { numerator, denominator } = parseRate(rate);
  if (numerator === 0n) throw new Error('A rate of zero has no inverse');
  return formatRate({ numerator: denominator, denominator: numerator }, digits, rounding);
}

/** The rate over a third asset, or with a margin of `'0.995'`, to `digits` decimals. */
export function multiply(
  first: string,
  second: string,
  digits: number,
  rounding: Rounding,
): string {
  const a = parseRate(first);
  const b = parseRate(second);
  const numerator = a.numerator * b.numerator;
  return formatRate({ numerator, denominator: a.denominator * b.denominator }, digits, rounding);
}

/** A whole quotient of what is not negative. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (numerator < 0n || denominator <= 0n) throw new Error('Only amounts from zero up are divided');
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  return goesUp(rounding, { quotient, twice: rest * 2n, denominator }) ? quotient + 1n : quotient;
}

function goesUp(
  rounding: Rounding,
  { quotient, twice, denominator }: Readonly<Record<'quotient' | 'twice' | 'denominator', bigint>>,
): boolean {
  if (rounding === 'up') return twice > 0n;
  if (rounding === 'nearest') return twice >= denominator;
  if (rounding === 'half-even')
    return twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return false;
}
