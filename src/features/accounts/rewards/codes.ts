import type { Attempt } from '#kernel/access/attempts.ts';
import type { StoredCode } from './code-store.ts';

/**
 * Wrong codes that one address may send, over all receivers: among many codes a guess soon hits one. Apps of many
 * people may share an address.
 */
const GUESSED = { failures: 100, withinMs: 15 * 60_000 };

/** Decisions, rewards: after that many wrong guesses a code is void. */
const TRIES_MAX = 5;

/** `none` without a code to guess at: none was sent, or it was used or tried too often. */
export type Verdict = 'right' | 'wrong' | 'expired' | 'none';

/** The caller has locked the code's row, so that concurrent tries count like sequential ones. */
export function verdictOf(code: StoredCode | undefined, given: Buffer, now: Date): Verdict {
  if (!code || code.tries >= TRIES_MAX) return 'none';
  if (new Date(code.expires_at) <= now) return 'expired';
  return code.fingerprint.equals(given) ? 'right' : 'wrong';
}

/** The receiver of the code, and the address of the guess. */
export interface Guess {
  readonly receivers: readonly string[];
  readonly ip: string;
}

/** The counts of a wrong code: the receiver's codes at that address, and all codes there. */
export const guessesFrom = ({ receivers, ip }: Guess): readonly Attempt[] => [
  { accounts: ['code'], ip, allowance: GUESSED },
  { accounts: receivers, ip },
];
