/** Crockford's digits, which leave out those that are mistaken for others. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;

/** A UUID in 26 digits, capitals. */
export function crockfordOf(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let n = 0; n < LENGTH; n += 1) {
    text = DIGITS[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

/** The UUID of 26 digits in capitals, the first of them at most 7. */
export function uuidOfCrockford(digits: string): string {
  let value = 0n;
  for (const digit of digits) value = value * 32n + BigInt(DIGITS.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
