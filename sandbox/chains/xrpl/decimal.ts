/** Amounts of issued currencies as whole numbers of 10^-15, as fine as the ledger itself has them here. */
const SCALE = 15;
const DIGITS = 15;

/** Reads the ledger's text, with an exponent or without one. */
export function readValue(text: string): bigint {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new Error(`Not a value: ${text}`);
  const zeros = SCALE + Number(exponent) - part.length;
  const digits = whole + part;
  const units =
    zeros >= 0 ? BigInt(digits + '0'.repeat(zeros)) : BigInt(digits) / 10n ** BigInt(-zeros);
  return sign === '' ? units : -units;
}

/** Plain decimal text. */
export function printValue(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, '0');
  const part = digits.slice(-SCALE).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -SCALE)}${part && `.${part}`}`;
}

/** The ledger keeps 15 significant digits of a sum, and drops the others. */
export function significant(units: bigint): bigint {
  const length = (units < 0n ? -units : units).toString().length;
  if (length <= DIGITS) return units;
  const step = 10n ** BigInt(length - DIGITS);
  return (units / step) * step;
}
