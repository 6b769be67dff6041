import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { MonitorField, MonitorOp, MonitorState, Reading } from './rule.ts';

export type BalanceMonitor = Omit<Row<'balance_monitors'>, 'field' | 'op' | 'state'> & {
  readonly field: MonitorField;
  readonly op: MonitorOp;
  readonly state: MonitorState;
};

export type NewBalanceMonitor = Pick<
  BalanceMonitor,
  | ('monitor_id' | 'client_id' | 'user_id' | 'wallet_id' | 'account_id' | 'currency')
  | ('field' | 'op' | 'amount' | 'state' | 'seen_seq')
>;
const NEW = [
  ...['monitor_id', 'client_id', 'user_id', 'wallet_id', 'account_id', 'currency'],
  ...['field', 'op', 'amount', 'state', 'seen_seq'],
].join();

export async function insertBalanceMonitor(
  tx: Db,
  { amount, ...monitor }: NewBalanceMonitor,
): Promise<BalanceMonitor> {
  const [row] = await run<BalanceMonitor>(
    tx,
    `insert into balance_monitors (${NEW})
     select ${NEW} from json_populate_record(null::balance_monitors, $1::json) returning *`,
    [JSON.stringify({ ...monitor, amount: amount.toString() })],
  );
  if (!row) throw new Error('A monitor was not stored');
  return row;
}

/** Whether a wallet has as many as that. */
export async function hasMonitors(tx: Db, wallet_id: number, most: number): Promise<boolean> {
  const text = 'select serial from balance_monitors where wallet_id = $1 limit $2';
  return (await run(tx, text, [wallet_id, most])).length >= most;
}

/** What an account's last entry has left. */
export async function lastReading(
  db: Db,
  account_id: number,
): Promise<Pick<Reading, 'seq' | 'posted' | 'held'>> {
  const text = 'select seq, posted, held from ledger.accounts where account_id = $1';
  const [row] = await run<Row<'ledger.accounts', 'seq' | 'posted' | 'held'>>(db, text, [
    account_id,
  ]);
  if (!row) throw new Error(`No account ${account_id}`);
  return row;
}

/** Those of a wallet, newest first. */
export const listBalanceMonitors = (
  db: Db,
  wallet_id: number,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<BalanceMonitor[]> =>
  run(
    db,
    `select * from balance_monitors where wallet_id = $1 and serial < coalesce($2::bigint, 9223372036854775807)
     order by serial desc limit $3`,
    [wallet_id, before ?? null, limit],
  );

/** Undefined where the wallet has no such monitor. */
export async function deleteBalanceMonitor(
  db: Db,
  { wallet_id, monitor_id }: Pick<BalanceMonitor, 'wallet_id' | 'monitor_id'>,
): Promise<BalanceMonitor | undefined> {
  const text = 'delete from balance_monitors where wallet_id = $1 and monitor_id = $2 returning *';
  return (await run<BalanceMonitor>(db, text, [wallet_id, monitor_id]))[0];
}

/** The next monitors after one, and whether their accounts have entries that these have not seen. */
export const pageOfMonitors = (
  db: Db,
  after: number,
  limit: number,
): Promise<{ readonly serial: number; readonly has_news: boolean }[]> =>
  run(
    db,
    `select m.serial, a.seq > m.seen_seq as has_news
     from (select serial, account_id, seen_seq from balance_monitors where serial > $1 order by serial limit $2) m
     join ledger.accounts a on a.account_id = m.account_id order by m.serial`,
    [after, limit],
  );

/** Locks those of them that no other process is at, until the transaction ends. */
export const lockMonitors = (tx: Db, serials: readonly number[]): Promise<BalanceMonitor[]> =>
  run(
    tx,
    `select * from balance_monitors where serial = any($1::bigint[])
     order by serial for no key update skip locked`,
    [serials],
  );

export interface MonitorReading extends Reading {
  readonly serial: number;
  /** Whether the transfer has no later entry of the account: balances within a transfer never were. */
  readonly is_last: boolean;
}

/** The first entries that each monitor has not seen, in any order. */
export async function unseenReadings(
  tx: Db,
  monitors: readonly BalanceMonitor[],
  limit: number,
): Promise<MonitorReading[]> {
  return run(
    tx,
    `select m.serial, e.seq, e.posted_after as posted, e.held_after as held, t.created_at as at,
       not exists (select from ledger.entries n where n.account_id = m.account_id and n.seq = e.seq + 1
         and n.transfer_id = e.transfer_id) as is_last
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as m (serial, account_id, seen)
     cross join lateral (
       select * from ledger.entries e where e.account_id = m.account_id and e.seq > m.seen order by e.seq limit $4) e
     join ledger.transfers t on t.transfer_id = e.transfer_id
     limit $5`,
    [
      monitors.map(({ serial }) => serial),
      monitors.map(({ account_id }) => account_id),
      monitors.map(({ seen_seq }) => seen_seq),
      limit,
      monitors.length * limit,
    ],
  );
}

export interface MonitorStep {
  readonly monitor: BalanceMonitor;
  readonly seen: number;
  readonly state: MonitorState;
  readonly crossings: readonly Reading[];
}

/** Moves monitors on from where they were read. Answers those that were there still. */
export async function moveMonitors(
  tx: Db,
  steps: readonly MonitorStep[],
): Promise<ReadonlySet<number>> {
  const rows = await run<Pick<BalanceMonitor, 'serial'>>(
    tx,
    `update balance_monitors m set seen_seq = s.seen, state = s.state, crossings = m.crossings + s.crossed,
       last_crossed_at = coalesce(s.crossed_at, m.last_crossed_at)
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::timestamptz[])
       as s (serial, was, seen, state, crossed, crossed_at)
     where m.serial = s.serial and m.seen_seq = s.was returning m.serial`,
    [
      steps.map(({ monitor }) => monitor.serial),
      steps.map(({ monitor }) => monitor.seen_seq),
      steps.map(({ seen }) => seen),
      steps.map(({ state }) => state),
      steps.map(({ crossings }) => crossings.length),
      steps.map(({ crossings }) => crossings.at(-1)?.at ?? null),
    ],
  );
  return new Set(rows.map(({ serial }) => serial));
}
