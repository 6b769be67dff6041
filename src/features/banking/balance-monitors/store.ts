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

/** What an account's last entry has left. Locked against the next one until the monitor is stored, which would miss it. */
export async function lastReading(
  tx: Db,
  account_id: number,
): Promise<Pick<Reading, 'seq' | 'posted' | 'held'>> {
  const text = 'select seq, posted, held from ledger.accounts where account_id = $1 for share';
  const [row] = await run<Row<'ledger.accounts', 'seq' | 'posted' | 'held'>>(tx, text, [
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

export interface MonitorNews {
  /** The position of the last event that was read; null where there was none. */
  readonly upto: number | null;
  /** How many events were read, of any kind. */
  readonly looked: number;
  /** The monitors of wallets that these events are of. */
  readonly serials: readonly number[];
}

/** Reads the log of events on from where the last look has ended, and finds the monitors of wallets that have moved. */
export async function monitorsWithNews(db: Db, limit: number): Promise<MonitorNews> {
  const [row] = await run<MonitorNews>(
    db,
    `with looked as materialized (
       select position, type, object_id from events.log
        where position > (select position from balance_monitor_progress where is_only)
          and position <= (select position from events.head)
        order by position limit $1)
     select (select max(position) from looked) as upto, (select count(*)::integer from looked) as looked,
       array(select m.serial from balance_monitors m
              where m.wallet_id in (select object_id::integer from looked where type = any($2))) as serials`,
    [limit, MOVING],
  );
  if (!row) throw new Error('The log of events gives no answer');
  return { ...row, serials: row.serials.map(Number).sort((a, b) => a - b) };
}

/** Events of a wallet that change its balance or what is set aside. */
const MOVING = ['wallet.credited', 'wallet.debited', 'wallet.hold_placed', 'wallet.hold_released'];

/** Notes that all monitors have seen the events up to a position. */
export const noteProgress = async (db: Db, upto: number): Promise<void> => {
  const text =
    'update balance_monitor_progress set position = greatest(position, $1) where is_only';
  await run(db, text, [upto]);
};

/** Locks monitors until the transaction ends; a process that is at them is waited for, since it may fail. */
export const lockMonitors = (tx: Db, serials: readonly number[]): Promise<BalanceMonitor[]> =>
  run(
    tx,
    `select * from balance_monitors where serial = any($1::bigint[])
     order by serial for no key update`,
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
