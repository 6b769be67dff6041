import { type Db, run } from '../db/db.ts';
import { transact } from '../transact.ts';
import { type HoldOwner, holdersOf, type NamedHold, placeOf } from './holds.ts';
import { SUMMED_TOGETHER } from './kind-sums.ts';

/** All entries of a kind that moved money, in units. */
export interface KindSum {
  readonly kind: string;
  readonly count: number;
  readonly amount: bigint;
}

/** What was set aside for an object. */
export interface ExplainedHold {
  readonly amount: bigint;
  /** Of the object, as callers know it; the hold's name where there is none. */
  readonly reference: string;
  readonly kind: string;
  readonly since: string;
  readonly until: string | null;
  readonly next_attempt_at: string | null;
  readonly freed_by: string;
}

/** The balance of an account at a moment, and what it comes from. Amounts are units. */
export interface ExplainedBalance {
  readonly at: string;
  readonly posted: bigint;
  readonly held: bigint;
  readonly available: bigint;
  /** Of the last month's end, in UTC, and what was posted then. */
  readonly since: string;
  readonly opening: bigint;
  readonly kinds: readonly KindSum[];
  readonly holds: readonly ExplainedHold[];
  readonly checks: readonly { readonly rule: string; readonly ok: boolean }[];
}

/**
 * Explains an account that has no parts, in a transaction of its own. The moment includes its whole millisecond; without
 * one it is the present. Postings that had begun before it are waited for, so that the same moment has the same answer
 * for good. Undefined where the moment is yet to come.
 */
export function explainAccount(
  db: Db,
  owners: readonly HoldOwner[],
  account_id: number,
  wanted: string | undefined,
): Promise<ExplainedBalance | undefined> {
  return transact(db, async (tx) => {
    const at = await settledMoment(tx, account_id, wanted);
    return at === undefined ? undefined : explainAt(tx, owners, account_id, at);
  });
}

/** The balance of an account at a moment, and the number of its last entry by then. */
export interface BalanceAt extends Pick<ExplainedBalance, 'at' | 'posted' | 'held' | 'available'> {
  readonly sequence: number;
}

/** The same without what it comes from. */
export function balanceAt(
  db: Db,
  account_id: number,
  wanted: string | undefined,
): Promise<BalanceAt | undefined> {
  return transact(db, async (tx) => {
    const at = await settledMoment(tx, account_id, wanted);
    if (at === undefined) return undefined;
    const edges = await edgesAt(tx, account_id, at);
    const { posted, held, last } = edges;
    return { at, posted, held, available: availableIn(edges), sequence: last };
  });
}

/**
 * The moment, which no posting of the account can be dated at any more, its whole millisecond included; without one the
 * present. Undefined where it is yet to come.
 */
export async function settledMoment(
  tx: Db,
  account_id: number,
  wanted: string | undefined,
): Promise<string | undefined> {
  // A posting dates itself while it holds the account's row.
  await run(tx, 'select from ledger.accounts where account_id = $1 for share', [account_id]);
  const [row] = await run<{ now: string }>(tx, 'select service_moment() as now', []);
  if (!row) throw new Error('There is no time');
  if (wanted !== undefined && wanted < row.now) return wanted;
  if (wanted !== undefined && wanted > row.now) return undefined;
  // The millisecond has to be over.
  await run(tx, 'select pg_sleep(0.001)', []);
  return row.now;
}

interface Edges {
  /** Numbers of the last entry before the month, and of the last one of all. */
  readonly first: number;
  readonly last: number;
  readonly since: string;
  readonly opening: bigint;
  readonly posted: bigint;
  readonly held: bigint;
  readonly is_frozen: boolean;
  readonly owed: bigint;
  /** Thousands of entries whose sums are kept. */
  readonly summed: number;
}

async function explainAt(
  tx: Db,
  owners: readonly HoldOwner[],
  account_id: number,
  at: string,
): Promise<ExplainedBalance> {
  const edges = await edgesAt(tx, account_id, at);
  const { posted, held, opening, since } = edges;
  const kinds = await kindSums(tx, account_id, edges);
  const { holds, isEachOwned } = await heldAt(tx, owners, account_id, edges);
  const sum = (all: readonly { readonly amount: bigint }[]) =>
    all.reduce((total, { amount }) => total + amount, 0n);
  return {
    at,
    posted,
    held,
    available: availableIn(edges),
    since,
    opening,
    kinds,
    holds,
    checks: [
      {
        rule: 'posted is the opening and the sum of all kinds',
        ok: opening + sum(kinds) === posted,
      },
      { rule: 'held is the sum of all holds', ok: sum(holds) === held },
      { rule: 'every hold has one open owner', ok: isEachOwned },
    ],
  };
}

/** As SPENDABLE says. */
function availableIn({ posted, held, owed, is_frozen }: Edges): bigint {
  const free = posted - held - owed;
  return is_frozen || (owed > 0n && free < 0n) ? 0n : free;
}

async function edgesAt(tx: Db, account_id: number, at: string): Promise<Edges> {
  const [row] = await run<Edges>(
    tx,
    `select b.first, b.last, b.since, coalesce(o.posted_after, 0) as opening,
       coalesce(l.posted_after, 0) as posted, coalesce(l.held_after, 0) as held,
       coalesce(m.status = 'frozen', false) as is_frozen, coalesce(m.owed, 0) as owed,
       coalesce((select summed from ledger.verified_accounts where account_id = $1), 0) as summed
     from (select s.since, ledger.seq_since($1, s.since) - 1 as first,
             ledger.seq_since($1, $2::timestamptz + interval '1 millisecond') - 1 as last
           from (select date_trunc('month', $2::timestamptz, 'UTC') as since) s) b
     left join ledger.entries o on o.account_id = $1 and o.seq = b.first
     left join ledger.entries l on l.account_id = $1 and l.seq = b.last
     left join lateral (
       select status, owed from ledger.account_marks
       where account_id = $1 and at < $2::timestamptz + interval '1 millisecond'
       order by at desc, mark_id desc limit 1) m on true`,
    [account_id, at],
  );
  if (!row) throw new Error(`No account ${account_id}`);
  return row;
}

/** Whole thousands by their sums, and what is before and behind them entry by entry. */
function kindSums(
  tx: Db,
  account_id: number,
  { first, last, summed }: Pick<Edges, 'first' | 'last' | 'summed'>,
): Promise<KindSum[]> {
  const from = Math.ceil(first / SUMMED_TOGETHER) + 1;
  const upto = Math.min(Math.floor(last / SUMMED_TOGETHER), summed);
  const [head, tail] =
    from > upto ? [last, last] : [(from - 1) * SUMMED_TOGETHER, upto * SUMMED_TOGETHER];
  return run(
    tx,
    `select kind, sum(entries)::bigint as count, sum(amount) as amount
     from (
       select kind, entries, amount from ledger.kind_sums
       where account_id = $1 and block between $2 and $3
       union all
       select t.kind, 1, e.amount from ledger.entries e join ledger.transfers t using (transfer_id)
       where e.account_id = $1 and e.seq > $4 and e.seq <= $5 and e.amount <> 0
       union all
       select t.kind, 1, e.amount from ledger.entries e join ledger.transfers t using (transfer_id)
       where e.account_id = $1 and e.seq > $6 and e.seq <= $7 and e.amount <> 0) all_of_them
     group by kind order by kind`,
    [account_id, from, upto, first, head, tail, last],
  );
}

interface HeldThen extends Omit<NamedHold, 'account_id'> {
  readonly opened_at: string;
  readonly units: bigint;
  /** Whether it is held still. */
  readonly is_open: boolean;
}

async function heldAt(
  tx: Db,
  owners: readonly HoldOwner[],
  account_id: number,
  { last, held }: Pick<Edges, 'last' | 'held'>,
) {
  const found = await run<HeldThen>(
    tx,
    'select * from ledger.holds_at($1, $2, $3) order by opened_at, hold',
    [account_id, last, held],
  );
  const named = found.map((one) => ({ ...one, account_id }));
  const holders = await holdersOf(tx, owners, named);
  const holdersBy = (one: NamedHold) => holders.get(placeOf(one)) ?? [];
  const holds = named.map((one): ExplainedHold => {
    const [holder] = holdersBy(one);
    return {
      amount: one.units,
      reference: holder?.reference ?? one.hold,
      kind: one.kind,
      since: one.opened_at,
      until: holder?.until ?? null,
      next_attempt_at: one.is_open ? (holder?.next_attempt_at ?? null) : null,
      freed_by: holder?.freedBy ?? '',
    };
  });
  // What was freed since had one then.
  const isOwned = (one: (typeof named)[number]) =>
    !one.is_open || holdersBy(one).filter(({ is_open }) => is_open).length === 1;
  return { holds, isEachOwned: named.every(isOwned) };
}
