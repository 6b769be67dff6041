import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** A secret to hand out and the digest to keep. `bytes` 16 gives the 32 hex characters of a link. */
export function newToken(bytes = 32): { readonly token: string; readonly digest: Buffer } {
  const token = randomBytes(bytes).toString('hex');
  return { token, digest: digestOf(token) };
}

/** What is stored of a token. A fast hash is enough: tokens are too random to be guessed. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares a given secret with the right one, in a time that says nothing about either. */
export const sameSecret = (given: string, right: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(right));

/** Six digits. Store only a keyed fingerprint of them: they are few enough to try out. */
export const newCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');

/** The first and the last characters of a secret, for listings. */
export const masked = (prefix: string, suffix: string): string => `${prefix}...${suffix}`;

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** A random password of `length` characters that are hard to confuse, with each kind in it. */
export function newPassword(length: number): string {
  for (;;) {
    const text = Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    if (/[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)) return text;
  }
}
