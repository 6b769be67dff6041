import type { Attempt } from '#kernel/access/attempts.ts';
import type { StoredCode } from './code-store.ts';

/**
 * Wrong codes that one address may send for however many receivers: of many codes one is soon
 * guessed. Apps of many people may share an address.
 */
const GUESSED = { failures: 100, withinMs: 15 * 60_000 };

/** Decisions, rewards: after so many wrong ones a code is worth nothing. */
const TRIES_MAX = 5;

/** `none` when there is nothing to guess at: no code was sent, it was used, or tried too often. */
export type Verdict = 'right' | 'wrong' | 'expired' | 'none';

/** The code's row must be locked, so that tries sent at once count like tries sent one by one. */
export function verdictOf(code: StoredCode | undefined, given: Buffer, now: Date): Verdict {
  if (!code || code.tries >= TRIES_MAX) return 'none';
  if (new Date(code.expires_at) <= now) return 'expired';
  return code.fingerprint.equals(given) ? 'right' : 'wrong';
}

/** Whose code is guessed at, and from where. */
export interface Guess {
  readonly receivers: readonly string[];
  readonly ip: string;
}

/** What a wrong code counts against: the receiver's codes at that address, and all codes there. */
export const guessesFrom = ({ receivers, ip }: Guess): readonly Attempt[] => [
  { accounts: ['code'], ip, allowance: GUESSED },
  { accounts: receivers, ip },
];
