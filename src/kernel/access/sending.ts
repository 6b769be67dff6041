import type { Db } from '../db/db.ts';
import { AppError, fail } from '../http/error.ts';
import type { Attempt, Attempts } from './attempts.ts';

const QUARTER_MS = 15 * 60_000;
/** What one address has sent to however many receivers: apps of many people may share an address. */
const SENT = { failures: 300, withinMs: QUARTER_MS };
/** What all addresses together send to one receiver. */
const RECEIVED = { failures: 30, withinMs: 4 * QUARTER_MS };

/** Somebody, somewhere, who wants a code sent. */
export interface Sending {
  /** Whom the code is for: a user, a phone, a mailbox. */
  readonly receivers: readonly string[];
  readonly ip: string;
}

/**
 * Lets an address have only so many codes sent, to the same receiver and to all: messages cost money,
 * nobody's phone or mailbox is filled by strangers, nor does a new code give new tries without end.
 * Throws RATE_LIMITED. In the transaction that sends.
 */
export async function admitSending(
  tx: Db,
  attempts: Attempts,
  { receivers, ip }: Sending,
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
