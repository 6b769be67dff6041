import type { Attempt, Attempts } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/http/error.ts';

/** Decisions, rewards: after so many wrong ones a code is worth nothing. */
const TRIES_MAX = 5;

export interface StoredCode {
  readonly fingerprint: Buffer;
  readonly tries: number;
  readonly expires_at: string;
}

/** `none` when there is nothing to guess at: no code was sent, it was used, or tried too often. */
export type Verdict = 'right' | 'wrong' | 'expired' | 'none';

/** The code's row must be locked, so that tries sent at once count like tries sent one by one. */
export function judge(code: StoredCode | undefined, given: Buffer, now: Date): Verdict {
  if (!code || code.tries >= TRIES_MAX) return 'none';
  if (new Date(code.expires_at) <= now) return 'expired';
  return code.fingerprint.equals(given) ? 'right' : 'wrong';
}

/**
 * Lets an address have only so many codes sent to the same receiver: nobody's phone or mailbox is
 * filled by a stranger, nor does a new code give another five tries without end.
 */
export async function admitSending(tx: Db, attempts: Attempts, attempt: Attempt): Promise<void> {
  await attempts.admit(tx, attempt).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const { retryAfter } = error;
    throw fail('RATE_LIMITED', 'Too many codes requested, try again later', {
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  });
  await attempts.fail(tx, attempt);
}
