import { type Db, run } from '../db/db.ts';
import { movesOf } from '../db/move.ts';
import type { Row } from '../db/row.ts';
import type { RecordedDecision } from './backtest.ts';
import type { PolicyVerdict } from './policy.ts';
import type { Policy, PolicyScope } from './policy-store.ts';

export const BACKTEST_STATUSES = ['PENDING', 'READY', 'FAILED'] as const;

export interface BacktestDifference {
  readonly payment_id: string | null;
  readonly at: string;
  readonly then: PolicyVerdict;
  readonly now: PolicyVerdict;
}

export type Backtest = Omit<Row<'policy_backtests'>, 'status' | 'differences'> & {
  readonly status: (typeof BACKTEST_STATUSES)[number];
  readonly differences: readonly BacktestDifference[];
};

type NewBacktest = Pick<
  Backtest,
  'backtest_id' | 'policy_id' | 'client_id' | 'days' | 'asked_by' | 'created_at'
>;

/** Undefined where one of the policy is under way. */
export const insertBacktest = (tx: Db, backtest: NewBacktest): Promise<Backtest | undefined> =>
  tx
    .insertInto('policy_backtests')
    .values(backtest)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst() as Promise<object | undefined> as Promise<Backtest | undefined>;

/** Of a client's policy, or of any where the scope is undefined. */
export async function findBacktest(
  db: Db,
  client_id: PolicyScope,
  backtest_id: string,
): Promise<Backtest | undefined> {
  const text = `select * from policy_backtests
    where backtest_id = $1 and ($2::integer is null or client_id = $2)`;
  return (await run<Backtest>(db, text, [backtest_id, client_id ?? null]))[0];
}

const moves = movesOf<Backtest>('policy_backtests');

/** Ends one that is open. */
export async function endBacktest(
  tx: Db,
  backtest_id: string,
  result: Partial<Backtest>,
): Promise<void> {
  const { differences = [], ...rest } = result;
  // A text, since a list would be taken for an array of PostgreSQL's.
  const stored = { ...rest, differences: JSON.stringify(differences) } as object;
  await moves.move(tx, { backtest_id, status: 'PENDING' }, stored as Partial<Backtest>);
}

/** Which decisions a back-test reads: of the policy's kinds and client, within that time. */
export interface RecordedRange extends Pick<Policy, 'applies_to' | 'client_id'> {
  readonly from: string;
  readonly to: string;
}

const COLUMNS = 'decision_id, at, client_id, payment_id, given_back_at, verdict, observed, matched';

/** The next recorded decisions after that number, in their order. */
export function readDecisions(
  db: Db,
  { applies_to, client_id, from, to }: RecordedRange,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RecordedDecision[]> {
  const ofClient = client_id === null ? '' : 'and client_id = $6';
  return run<RecordedDecision>(
    db,
    `select ${COLUMNS} from policy_decisions
      where at > $1::timestamptz and at <= $2::timestamptz and decision_id > $3 and kind = any ($4) ${ofClient}
      order by decision_id limit $5`,
    [from, to, after, [...applies_to], limit, ...(client_id === null ? [] : [client_id])],
  );
}

/** Results of back-tests from before that time. */
export async function forgetBacktests(tx: Db, before: Date, limit: number): Promise<number> {
  const rows = await run(
    tx,
    `delete from policy_backtests where serial = any (array(
       select serial from policy_backtests where created_at < $1::timestamptz
       order by created_at limit $2)) returning 1`,
    [before.toISOString(), limit],
  );
  return rows.length;
}
