import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import { AppError } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { transact } from '#kernel/transact.ts';
import { spendCost } from './cost.ts';
import type { XrplDeps } from './deps.ts';
import { beginRecord } from './events.ts';

export interface XrplRequest {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** Names the flow. */
  readonly id: string;
}

type NewRecord = Omit<Parameters<typeof beginRecord>[1], 'user_id' | 'operation'>;

interface NewOrder<D> {
  readonly record: NewRecord;
  /** Millionths of a USDC. */
  readonly cost: bigint;
  readonly action: 'XRPL_ONRAMP' | 'XRPL_OFFRAMP';
  readonly details: object;
  readonly machine: Machine<D>;
  /** The data of the flow; `isSponsored` where the house pays. */
  dataOf(tx: Db, isSponsored: boolean): Promise<Omit<D, 'user_id' | 'client_id'>>;
}

/**
 * Stores the record, its cost, its audit entry and its flow in one transaction, once. In mock mode a payer needs no
 * money: the house pays (decisions: Modes).
 */
export async function beginXrplOrder<D extends object>(
  deps: XrplDeps,
  { caller, request, id }: XrplRequest,
  { record, cost, action, details, machine, dataOf }: NewOrder<D>,
): Promise<void> {
  const { user_id, client_id } = caller;
  const begin = (is_sponsored: boolean) =>
    transact(deps.db, async (tx) => {
      if (!(await beginRecord(tx, { ...record, user_id, operation: id }))) return;
      await spendCost(tx, deps, { caller, request }, cost);
      const data = { ...(await dataOf(tx, is_sponsored)), user_id, client_id } as unknown as D;
      const entry = { ...details, operation: id, is_sponsored };
      await logActivity(tx, { action, actor: caller, details: entry, request });
      await deps.sagas.start(tx, machine, { id, data, drivenForMs: 60_000 });
    });
  try {
    await begin(false);
  } catch (error) {
    const isLacking = error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE';
    if (!deps.config.MOCK_MODE || !isLacking) throw error;
    await begin(true);
  }
}
