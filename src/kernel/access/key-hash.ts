import { hash } from 'node:crypto';

interface Hashed {
  readonly sent: string;
  readonly hash: string;
}

/** What came last on each connection. Its request is kept with it anyway, until the next one comes. */
const last = new WeakMap<object, Hashed>();

/**
 * The hash that an API key is known by. Nearly all that comes on a connection comes with one key, and hashing it is the
 * dearest part of finding out who asks.
 */
export function hashOn(connection: object, sent: string): string {
  const known = last.get(connection);
  if (known && isSame(known.sent, sent)) return known.hash;
  const made = { sent, hash: hash('sha256', sent, 'hex') };
  last.set(connection, made);
  return made.hash;
}

/**
 * In a time that tells nothing of how far they agree: a proxy's connection carries the keys of several, each of whom
 * could else find another's character by character.
 */
function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let differs = 0;
  for (let i = 0; i < a.length; i += 1) differs |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return differs === 0;
}
