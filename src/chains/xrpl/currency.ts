/** XRPL has codes of three letters; a longer one travels as 160 bits in hex. */
export const USDC_CODE = '5553444300000000000000000000000000000000';

const DECIMALS = 6;

/** An amount of an issued currency, as the ledger writes it. */
export interface IssuedAmount {
  readonly currency: string;
  readonly issuer: string;
  readonly value: string;
}

/** Millionths as the plain decimal text that the ledger takes: `1500000n` is `1.5`. */
export function amountText(units: bigint): string {
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  const [whole, part] = [digits.slice(0, -DECIMALS), digits.slice(-DECIMALS).replace(/0+$/, '')];
  return part === '' ? whole : `${whole}.${part}`;
}

/** The other way; throws where the ledger has more than millionths, which no payment of ours makes. */
export function unitsOf(value: string): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain(value)) ?? [];
  const kept = part.replace(/0+$/, '');
  if (whole === '' || kept.length > DECIMALS) throw new Error(`${value} is no whole millionths`);
  const units = BigInt(whole + kept.padEnd(DECIMALS, '0'));
  return sign === '' ? units : -units;
}

/** The same of what others hold and pay, which may be less than a millionth: what is beyond is dropped. */
export const wholeUnitsOf = (value: string): bigint =>
  unitsOf(plain(value).replace(/^(-?\d+\.\d{6})\d+$/, '$1'));

/** Any amount of an issued currency, exactly: its digits without the point, and how many stand behind it. */
export function exactAmountOf(value: string): { readonly units: bigint; readonly digits: number } {
  const [whole = '0', part = ''] = plain(value).split('.');
  return { units: BigInt(whole + part), digits: part.length };
}

/** `12e-7` without its exponent. */
function plain(value: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/.exec(value) ?? [];
  if (whole === '') return value;
  const point = whole.length + Number(exponent);
  const digits = (whole + part).padEnd(point, '0');
  return point <= 0
    ? `${sign}0.${'0'.repeat(-point)}${digits}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.$/, '');
}
