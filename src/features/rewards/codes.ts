import type { Attempt, Attempts } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/http/error.ts';

const QUARTER_MS = 15 * 60_000;
/**
 * What one address may do to however many receivers: messages cost money, and of many codes somebody's
 * is soon guessed. Apps of many people may share an address.
 */
const SENT = { failures: 300, withinMs: QUARTER_MS };
const GUESSED = { failures: 100, withinMs: QUARTER_MS };
/** What all addresses together may send to one receiver. */
const RECEIVED = { failures: 30, withinMs: 4 * QUARTER_MS };

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

/** Somebody, somewhere, who wants a code sent or tries one. */
export interface From {
  /** Whom the code is for: a phone; a member, and the mailbox. */
  readonly receivers: readonly string[];
  readonly ip: string;
}

/**
 * Lets an address have only so many codes sent, to the same receiver and to all: nobody's phone or
 * mailbox is filled by a stranger, nor does a new code give another five tries without end.
 */
export async function admitSending(
  tx: Db,
  attempts: Attempts,
  { receivers, ip }: From,
): Promise<void> {
  const accounts = receivers.map((receiver) => `send ${receiver}`);
  const sending: Attempt[] = [
    { accounts: ['send code'], ip, allowance: SENT },
    { accounts, ip },
    { accounts, allowance: RECEIVED },
  ];
  await attempts.admit(tx, ...sending).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const { retryAfter } = error;
    throw fail('RATE_LIMITED', 'Too many codes requested, try again later', {
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  });
  await attempts.fail(tx, ...sending);
}

/** What a wrong code counts against: the receiver's codes at that address, and all codes there. */
export const guessesFrom = ({ receivers, ip }: From): readonly Attempt[] => [
  { accounts: ['code'], ip, allowance: GUESSED },
  { accounts: receivers, ip },
];
