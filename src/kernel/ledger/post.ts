import { type Db, run } from '../db/db.ts';
import { sqlState } from '../db/sql-errors.ts';
import { dryRunNow } from '../dry-run.ts';
import { emitPosted, type PostedTransfer } from '../events/emit.ts';
import {
  decode,
  encode,
  outcome,
  POST_SQL,
  type PostRow,
  type PreparedPosting,
  preparePosting,
} from './batch.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import type { Leg, Operation, Posted } from './ledger.ts';
import { onParts } from './parts.ts';

const inTurn = createKeyedMutex();

/** Transactions that have posted: a second posting could lock accounts in an order that deadlocks. */
const havePosted = new WeakSet<object>();

/**
 * Posts inside the caller's transaction, so that the rows beside the money commit with it. Call it
 * once per transaction and last: the accounts stay locked until the commit, and two calls could
 * lock them in an order that deadlocks. A repeated key answers `duplicate` and moves nothing.
 */
export async function postWithin(tx: Db, operation: Operation): Promise<Posted> {
  const [posted] = await postAllWithin(tx, [operation]);
  if (!posted) throw new Error(`The ledger gave no answer for ${operation.key}`);
  return posted;
}

/** Several at once, under the same rules. Throws when one of them is refused: undo the others, too. */
export const postAllWithin = async (tx: Db, operations: readonly Operation[]): Promise<Posted[]> =>
  postPreparedWithin(tx, operations.map(preparePosting));

/** The same with operations that were prepared before. */
export async function postPreparedWithin(
  tx: Db,
  batch: readonly PreparedPosting[],
): Promise<Posted[]> {
  if (batch.length === 0) return [];
  if (havePosted.has(tx)) throw new Error('A transaction posts to the ledger once, and last');
  const onRows = onParts(tx, batch);
  const rows = new Set(onRows.flatMap(({ ids }) => ids));
  const [row] = await inTurn([...rows], () => run<PostRow>(tx, POST_SQL, encode(onRows))).catch(
    (error: unknown) => {
      throw lostRace(error) ? again(error) : error;
    },
  );
  const answers = row ? decode(row) : [];
  const all = batch.map(({ key }, i) => outcome(key, answers[i] ?? ['malformed', Number.NaN]));
  dryRunNow()?.notes.legs.push(
    ...batch.flatMap(({ legs }, i) => (all[i]?.status === 'posted' ? rehearsed(legs) : [])),
  );
  // A pool is no transaction. A refused posting has thrown, and may be tried again with less.
  if (tx.isTransaction) havePosted.add(tx);
  emitPosted(
    tx,
    all.flatMap((posted, i) => emittedEvents(posted, batch[i])),
  );
  return all;
}

const rehearsed = (legs: readonly Leg[]) =>
  legs.map(({ account, amount, held = 0n }) => ({ account, amount, held }));

const emittedEvents = (
  { status, transfer_id }: Posted,
  prepared?: PreparedPosting,
): PostedTransfer[] =>
  prepared && status === 'posted' ? [{ transfer_id, cause: prepared.cause }] : [];

/** The key was posted meanwhile on other accounts, so no lock made us wait for that. */
const lostRace = (error: unknown): boolean =>
  sqlState(error) === '23505' && (error as { constraint?: string }).constraint === 'transfers_once';

/** `transact` runs the work again on this code, and the second run sees their transfer. */
const again = (cause: unknown): Error =>
  Object.assign(new Error('The operation was posted meanwhile', { cause }), { code: '40001' });
