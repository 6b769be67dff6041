import type { Clock } from '../clock.ts';
import { type Db, run } from '../db/db.ts';
import { transact } from '../db/transact.ts';
import { AppError, fail } from '../http/error.ts';
import { networkOf } from './network.ts';

/** Who is being guessed at, and from where. */
export interface Attempt {
  /** `user:7` for a user; several where a name could mean several. */
  readonly accounts: readonly string[];
  readonly ip: string;
}

/** Slows down whoever guesses passwords or codes (decisions: Smaller points, log-in). */
export interface Attempts {
  /**
   * Throws RATE_LIMITED once one of the accounts has had ten failures from that address in 15
   * minutes. In a transaction no other attempt at these accounts from there is decided until its
   * end, so that guesses sent at once count like those sent one by one: call it before a right
   * answer counts, too.
   */
  admit(db: Db, attempt: Attempt): Promise<void>;
  /** Writes down that a password or code was wrong. */
  fail(db: Db, attempt: Attempt): Promise<void>;
  /** After a log-in that proved everything. */
  forget(db: Db, attempt: Attempt): Promise<void>;
}

const FAILURES_MAX = 10;
const WINDOW_MS = 15 * 60_000;

export const accountOf = (user_id: number): string => `user:${user_id}`;

export function createAttempts({ clock }: { readonly clock: Clock }): Attempts {
  const windowStart = () => new Date(clock.now().getTime() - WINDOW_MS);
  return {
    async admit(db, attempt) {
      const of = keyOf(attempt);
      await run(db, LOCK, of);
      const [over] = await run<{ oldest: string }>(db, OVER, [...of, windowStart(), FAILURES_MAX]);
      if (!over) return;
      const againMs = new Date(over.oldest).getTime() + WINDOW_MS - clock.now().getTime();
      throw fail('RATE_LIMITED', 'Too many failed attempts, try again later', {
        retryAfter: Math.max(1, Math.ceil(againMs / 1000)),
      });
    },
    async fail(db, attempt) {
      await run(db, INSERT, [...keyOf(attempt), clock.now()]);
    },
    async forget(db, attempt) {
      await run(db, FORGET, keyOf(attempt));
    },
  };
}

/**
 * Runs `work` in a transaction that commits also when it answers with a failure, which is thrown
 * afterwards: what a refused attempt leaves behind must stay.
 */
export async function decide<T>(db: Db, work: (tx: Db) => Promise<T | AppError>): Promise<T> {
  const answer = await transact(db, work);
  if (answer instanceof AppError) throw answer;
  return answer;
}

const LOCK = `
  select pg_advisory_xact_lock(hashtextextended(account || ' ' || $2, 0))
    from unnest($1::text[]) as account`;

const OVER = `
  select min(at) as oldest from login_failures
   where account = any($1) and address = $2 and at > $3
   group by account having count(*) >= $4
   order by min(at) desc limit 1`;

const INSERT = `
  insert into login_failures (account, address, at)
  select account, $2, $3 from unnest($1::text[]) as account`;

const FORGET = 'delete from login_failures where account = any($1) and address = $2';

/** Sorted, so that two attempts at the same accounts never wait for each other. */
const keyOf = ({ accounts, ip }: Attempt): [string[], string] => [
  [...accounts].sort(),
  networkOf(ip),
];
