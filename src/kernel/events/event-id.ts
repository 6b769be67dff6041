const PREFIX = 'evt_';
/** Crockford's, which leaves out what is mistaken for something else. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID = /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const LENGTH = 26;

/** `evt_` and the UUID in 26 digits. */
export function eventIdOf(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let n = 0; n < LENGTH; n += 1) {
    text = DIGITS[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return PREFIX + text;
}

/** The UUID of an id; nothing where it is none. */
export function uuidOf(id: string): string | undefined {
  if (!ID.test(id)) return undefined;
  let value = 0n;
  for (const digit of id.slice(PREFIX.length)) value = value * 32n + BigInt(DIGITS.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
