import { networkOf, siteOf } from '#kernel/network.ts';
import type { Clock } from '../clock.ts';
import { type Db, run, runLater } from '../db/db.ts';
import { deferWrite } from '../db/deferred-writes.ts';
import { deleteInBatches } from '../db/in-batches.ts';
import { AppError, fail } from '../error.ts';
import { transact } from '../transact.ts';

/** The accounts that a guess aims at, and its network. */
export interface Attempt {
  /** `user:7` for a user; several where a name could mean several. */
  readonly accounts: readonly string[];
  /** Missing where all networks count together. */
  readonly ip?: string;
  /** From a network that the owner has used: attempts from the networks around it do not count. */
  readonly known?: boolean;
  /** Instead of the usual one. */
  readonly allowance?: AccessAllowance;
}

/** So many failures within a time, which is a day at most: older ones are forgotten. */
export interface AccessAllowance {
  readonly failures: number;
  readonly withinMs: number;
}

/** A limit that `waitOf` compares each account with. */
export interface Limited {
  /** Before the account's name. */
  readonly prefix?: string;
  /** As of an attempt. */
  readonly ip?: string;
  readonly allowance?: AccessAllowance;
  /** Only where the owner never logged in from there. */
  readonly unknownOnly?: boolean;
}

/** Slows down guessing of passwords and codes (decisions: Smaller points, log-in). */
export interface Attempts {
  /**
   * Throws RATE_LIMITED once one of the accounts has had as many failures from that address as are
   * allowed, usually ten in 15 minutes. In a transaction no other attempt at these accounts from
   * there is decided until its end, so that guesses sent at once count like those sent one by one:
   * call it before a right answer counts, too.
   */
  admit(db: Db, ...attempts: readonly Attempt[]): Promise<void>;
  /** In a transaction: from here on no other attempt at these is decided until its end. */
  hold(tx: Db, attempts: readonly Attempt[]): Promise<void>;
  /** The allowances of tries from one network, as `waitOf` takes them. */
  limitsOf(...limited: readonly Limited[]): string;
  /** For each attempt the seconds that it would have to wait, 0 for none; otherwise like `admit`. */
  waitsOf(db: Db, attempts: readonly Attempt[]): Promise<number[]>;
  /** Records a wrong password or code. */
  recordFailure(db: Db, ...attempts: readonly Attempt[]): Promise<void>;
  /** After a log-in that proved everything. */
  clear(db: Db, attempt: Attempt): Promise<void>;
}

const USUAL: AccessAllowance = { failures: 10, withinMs: 15 * 60_000 };

export const accountOf = (user_id: number): string => `user:${user_id}`;

/** The refusal for a caller who has to wait, in seconds. */
export const tooManyAttempts = (wait_s: number): AppError =>
  fail('RATE_LIMITED', 'Too many failed attempts, try again later', { retryAfter: wait_s });

export function createAttempts({ clock }: { readonly clock: Clock }): Attempts {
  return {
    waitsOf,
    hold(tx, attempts) {
      const { accounts, addresses } = columnsOf(attempts);
      return runLater(tx, LOCK, [accounts, addresses]);
    },
    limitsOf: (...limited) => limitsOf(limited, clock.now().getTime()),
    async admit(db, ...attempts) {
      const wait_s = Math.max(0, ...(await waitsOf(db, attempts)));
      if (wait_s > 0) throw tooManyAttempts(wait_s);
    },
    async recordFailure(db, ...attempts) {
      const { accounts, addresses } = columnsOf(attempts);
      await run(db, INSERT, [accounts, addresses, clock.now()]);
    },
    async clear(db, attempt) {
      const { accounts, addresses } = columnsOf([attempt]);
      await deferWrite(db, FORGET, [accounts, addresses]);
    },
  };

  async function waitsOf(db: Db, attempts: readonly Attempt[]): Promise<number[]> {
    const { accounts, addresses, allowances, places } = columnsOf(attempts);
    const now = clock.now().getTime();
    const since = allowances.map(({ withinMs }) => new Date(now - withinMs));
    const failures = allowances.map((allowance) => allowance.failures);
    const values = [accounts, addresses, since, failures, places];
    // Outside of a transaction a lock would protect nothing: the deciding transaction checks again.
    if (db.isTransaction) await runLater(db, LOCK, [accounts, addresses]);
    const over = await run<{ place: number; wait_s: number }>(db, OVER, values);
    const byPlace = new Map(over.map(({ place, wait_s }) => [place, wait_s]));
    return attempts.map((_, place) => {
      const wait_s = byPlace.get(place);
      return wait_s === undefined ? 0 : Math.max(1, Math.ceil(wait_s));
    });
  }
}

/**
 * Runs `work` in a transaction that commits also when it answers with a failure, and throws that
 * afterwards: the record of a refused attempt must stay.
 */
export async function decide<T>(db: Db, work: (tx: Db) => Promise<T | AppError>): Promise<T> {
  const answer = await transact(db, work);
  if (answer instanceof AppError) throw answer;
  return answer;
}

/** Deletes failures that no allowance counts. */
export const forgetFailures = (db: Db, before: string): Promise<void> =>
  deleteInBatches(db, 'login_failures', 'at < $1', [before]);

const LOCK = `
  select pg_advisory_xact_lock(hashtextextended(account || ' ' || address, 0))
    from unnest($1::text[], $2::text[]) as a(account, address)`;

/** The oldest failure that still counts is forgotten this much later than now. */
const OVER = `
  select a.place, extract(epoch from max(f.oldest - a.since))::float8 as wait_s
    from unnest($1::text[], $2::text[], $3::timestamptz[], $4::integer[], $5::integer[])
           as a(account, address, since, failures, place)
    cross join lateral (
      select min(at) as oldest, count(*) as n from login_failures f
       where f.account = a.account and f.address = a.address and f.at > a.since) f
   where f.n >= a.failures
   group by a.place`;

/** For SQL by hand: the seconds for which that account is not to be tried, null for none. */
export const waitOf = (account: string, isKnown: string, limits: string): string => `
  (select max(extract(epoch from f.oldest - l.since))::float8
     from json_to_recordset(${limits}::json)
            as l(prefix text, address text, since timestamptz, failures integer, "unknownOnly" boolean)
    cross join lateral (
      select min(at) as oldest, count(*) as n from login_failures f
       where f.account = l.prefix || ${account} and f.address = l.address and f.at > l.since) f
    where f.n >= l.failures and not (${isKnown} and l."unknownOnly"))`;

const INSERT = `
  insert into login_failures (account, address, at)
  select account, address, $3 from unnest($1::text[], $2::text[]) as a(account, address)`;

const FORGET = `
  delete from login_failures f using unnest($1::text[], $2::text[]) as a(account, address)
   where f.account = a.account and f.address = a.address`;

const EVERYWHERE = '*';
/** How many networks' worth all networks of one IPv6 site have together. */
const NETWORKS_OF_A_SITE = 4;

interface Row {
  readonly account: string;
  readonly address: string;
  readonly allowance: AccessAllowance;
  /** The index of its attempt. */
  readonly place: number;
}

/** Sorted, so that two attempts at the same accounts never wait for each other. */
function columnsOf(attempts: readonly Attempt[]) {
  const rows = attempts
    .flatMap(rowsOf)
    .sort((a, b) => (`${a.account} ${a.address}` < `${b.account} ${b.address}` ? -1 : 1));
  return {
    accounts: rows.map(({ account }) => account),
    addresses: rows.map(({ address }) => address),
    allowances: rows.map(({ allowance }) => allowance),
    places: rows.map(({ place }) => place),
  };
}

function rowsOf({ accounts, ip, known, allowance = USUAL }: Attempt, place: number): Row[] {
  const address = ip === undefined ? EVERYWHERE : networkOf(ip);
  const site = ip === undefined || known ? undefined : siteOf(ip);
  return accounts.flatMap((account) => {
    const row = { account, address, allowance, place };
    if (site === undefined) return [row];
    const failures = allowance.failures * NETWORKS_OF_A_SITE;
    return [row, { ...row, address: site, allowance: { ...allowance, failures } }];
  });
}

/** As `rowsOf` has them for each attempt, once for all accounts. */
function limitsOf(limited: readonly Limited[], now: number): string {
  const limits = limited.flatMap(({ prefix = '', unknownOnly = false, ...one }) =>
    rowsOf({ ...one, accounts: [''] }, 0).map(({ address, allowance }, i) => ({
      prefix,
      address,
      since: new Date(now - allowance.withinMs),
      failures: allowance.failures,
      // All networks of a site count together only where none of them is known.
      unknownOnly: unknownOnly || i > 0,
    })),
  );
  return JSON.stringify(limits);
}
