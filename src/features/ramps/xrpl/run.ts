import type { Machine } from '#kernel/effects/saga-machine.ts';
import { fail } from '#kernel/error.ts';
import type { XrplDeps } from './deps.ts';
import type { XrplOnramp } from './onramp.ts';
import type { XrplOfframp } from './redemption.ts';
import { type XrplRecord, xrplRecordOf } from './store.ts';

export interface Flows {
  readonly onramp: Machine<XrplOnramp>;
  readonly offramp: Machine<XrplOfframp>;
}

const PATIENCE_MS = 10_000;

interface Options {
  readonly patienceMs?: number;
  /** The record shows a failure, and no error is thrown. */
  readonly isQuiet?: boolean;
}

/**
 * Moves a flow on as far as it comes while a caller waits. Throws PROVIDER_REJECTED for a flow that has failed and
 * refunded everything.
 */
export async function runXrplOrder<D extends object>(
  { db, sagas }: Pick<XrplDeps, 'db' | 'sagas'>,
  id: string,
  { patienceMs = PATIENCE_MS, isQuiet = false }: Options = {},
): Promise<{ readonly record: XrplRecord; readonly data: D }> {
  const saga = await sagas.drive(id, { patienceMs });
  const record = await xrplRecordOf(db, id);
  if (record.status === 'FAILED' && !isQuiet) {
    const why = saga.last_error ?? 'it was refused';
    throw fail('PROVIDER_REJECTED', `Nothing was moved: ${why}`, { details: { id: record.id } });
  }
  return { record, data: saga.data as D };
}
