import type { Clock } from '../clock.ts';
import { type Db, run } from '../db/db.ts';
import { transact } from '../db/transact.ts';
import { AppError, fail } from '../http/error.ts';
import { networkOf } from './network.ts';

/** Who is being guessed at, and from where. */
export interface Attempt {
  /** `user:7` for a user; several where a name could mean several. */
  readonly accounts: readonly string[];
  /** Missing where it counts from wherever it comes. */
  readonly ip?: string;
  /** Instead of the usual one. */
  readonly allowance?: Allowance;
}

/** So many failures within a time, which is a day at most: older ones are forgotten. */
export interface Allowance {
  readonly failures: number;
  readonly withinMs: number;
}

/** Slows down whoever guesses passwords or codes (decisions: Smaller points, log-in). */
export interface Attempts {
  /**
   * Throws RATE_LIMITED once one of the accounts has had as many failures from that address as are
   * allowed, usually ten in 15 minutes. In a transaction no other attempt at these accounts from
   * there is decided until its end, so that guesses sent at once count like those sent one by one:
   * call it before a right answer counts, too.
   */
  admit(db: Db, ...attempts: readonly Attempt[]): Promise<void>;
  /** Writes down that a password or code was wrong. */
  fail(db: Db, ...attempts: readonly Attempt[]): Promise<void>;
  /** After a log-in that proved everything. */
  forget(db: Db, attempt: Attempt): Promise<void>;
}

const USUAL: Allowance = { failures: 10, withinMs: 15 * 60_000 };

export const accountOf = (user_id: number): string => `user:${user_id}`;

export function createAttempts({ clock }: { readonly clock: Clock }): Attempts {
  return {
    async admit(db, ...attempts) {
      const { accounts, addresses, allowances } = columnsOf(attempts);
      await run(db, LOCK, [accounts, addresses]);
      const now = clock.now().getTime();
      const since = allowances.map(({ withinMs }) => new Date(now - withinMs));
      const failures = allowances.map((allowance) => allowance.failures);
      const values = [accounts, addresses, since, failures];
      const [over] = await run<{ wait_s: number | null }>(db, OVER, values);
      if (typeof over?.wait_s !== 'number') return;
      throw fail('RATE_LIMITED', 'Too many failed attempts, try again later', {
        retryAfter: Math.max(1, Math.ceil(over.wait_s)),
      });
    },
    async fail(db, ...attempts) {
      const { accounts, addresses } = columnsOf(attempts);
      await run(db, INSERT, [accounts, addresses, clock.now()]);
    },
    async forget(db, attempt) {
      const { accounts, addresses } = columnsOf([attempt]);
      await run(db, FORGET, [accounts, addresses]);
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
  select pg_advisory_xact_lock(hashtextextended(account || ' ' || address, 0))
    from unnest($1::text[], $2::text[]) as a(account, address)`;

/** The oldest failure that still counts is forgotten this much later than now. */
const OVER = `
  select extract(epoch from max(f.oldest - a.since))::float8 as wait_s
    from unnest($1::text[], $2::text[], $3::timestamptz[], $4::integer[])
           as a(account, address, since, failures)
    cross join lateral (
      select min(at) as oldest, count(*) as n from login_failures f
       where f.account = a.account and f.address = a.address and f.at > a.since) f
   where f.n >= a.failures`;

const INSERT = `
  insert into login_failures (account, address, at)
  select account, address, $3 from unnest($1::text[], $2::text[]) as a(account, address)`;

const FORGET = `
  delete from login_failures f using unnest($1::text[], $2::text[]) as a(account, address)
   where f.account = a.account and f.address = a.address`;

const EVERYWHERE = '*';

/** Sorted, so that two attempts at the same accounts never wait for each other. */
function columnsOf(attempts: readonly Attempt[]) {
  const rows = attempts
    .flatMap(({ accounts, ip, allowance = USUAL }) => {
      const address = ip === undefined ? EVERYWHERE : networkOf(ip);
      return accounts.map((account) => ({ account, address, allowance }));
    })
    .sort((a, b) => (`${a.account} ${a.address}` < `${b.account} ${b.address}` ? -1 : 1));
  return {
    accounts: rows.map(({ account }) => account),
    addresses: rows.map(({ address }) => address),
    allowances: rows.map(({ allowance }) => allowance),
  };
}
