import { createHash } from 'node:crypto';
import { base58xrp } from '@scure/base';

const ACCOUNT_PREFIX = 0;
const ACCOUNT_BYTES = 20;
const CHECKSUM_BYTES = 4;

/** How one looks, for people. */
export const ADDRESS_FORM = 'r… with its checksum';

/** Whether a text is a classic address with a right checksum. Needs nothing of the client library. */
export function isXrplAddress(text: string): boolean {
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return false;
  const bytes = Buffer.from(base58xrp.decode(text));
  const body = bytes.subarray(0, -CHECKSUM_BYTES);
  if (body.length !== ACCOUNT_BYTES + 1 || body[0] !== ACCOUNT_PREFIX) return false;
  return sha256(sha256(body)).subarray(0, CHECKSUM_BYTES).equals(bytes.subarray(-CHECKSUM_BYTES));
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
