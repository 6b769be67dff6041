import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** A client, a user or a wallet. */
export type SuspensionSubject = 'client_id' | 'user_id' | 'wallet_id';

/** A suspension or reinstatement of one of them; of a wallet a freeze or release. */
export type SuspensionRecord = Row<'stops', 'reason' | 'by_user_id' | 'by_operator' | 'at'> & {
  readonly what: 'stopped' | 'let_in';
};

const STOP = 'what, reason, by_user_id, by_operator, at';

export async function insertSuspension(
  tx: Db,
  subject: SuspensionSubject,
  id: number,
  { what, reason, by_user_id, by_operator }: Omit<SuspensionRecord, 'at'>,
): Promise<SuspensionRecord> {
  const [stop] = await run<SuspensionRecord>(
    tx,
    `insert into stops (${subject}, what, reason, by_user_id, by_operator, at)
     values ($1, $2, $3, $4, $5, service_now()) returning ${STOP}`,
    [id, what, reason, by_user_id, by_operator],
  );
  if (!stop) throw new Error('A line of the history was not written');
  return stop;
}

/** The last record of each, by id. */
export async function lastSuspensions(
  db: Db,
  subject: SuspensionSubject,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SuspensionRecord>> {
  if (ids.length === 0) return new Map();
  const stops = await run<SuspensionRecord & { readonly id: number }>(
    db,
    `select o.id, s.* from unnest($1::integer[]) o (id) cross join lateral (
       select ${STOP} from stops where ${subject} = o.id order by stop_id desc limit 1) s`,
    [ids],
  );
  return new Map(stops.map(({ id, ...stop }) => [id, stop]));
}

/** Whether a client's admins may reinstate it: not where the operator has suspended it, nor where SQL did. */
export const isImposedByClient = (last: SuspensionRecord | undefined): boolean =>
  last?.what === 'stopped' && !last.by_operator;

/** Whether the operator takes a suspension over by suspending again. */
export const mayOperatorTakeOver = (last: SuspensionRecord | undefined): boolean =>
  !(last?.what === 'stopped' && last.by_operator);
