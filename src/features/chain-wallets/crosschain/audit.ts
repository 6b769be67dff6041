import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { emitStep } from './events.ts';
import type { CrosschainAction, LegListener } from './leg-listener.ts';
import type { CrosschainTransfer } from './store.ts';

/** Who asked for it. */
export interface CrosschainActor {
  readonly caller: { readonly user_id: number; readonly client_id: number };
  readonly request?: RequestFacts;
}

/** The transaction of a step, and the listener for legs. */
interface StepPlace {
  readonly tx: Db;
  readonly legs: LegListener;
}

/**
 * Records a step of a transfer and emits its event, in the transaction of the step: so once, for every actor.
 * Without anybody who asked it was the service itself, following up what somebody had begun. A leg of a bridge
 * transfer emits nothing: the bridge hears of its step instead.
 */
export const noteStep = async (
  { tx, legs }: StepPlace,
  action: CrosschainAction,
  transfer: CrosschainTransfer,
  {
    asked,
    ...details
  }: { readonly asked?: CrosschainActor | undefined; readonly [detail: string]: unknown } = {},
): Promise<void> => {
  const { log_id, status, client_id, user_id } = transfer;
  if (transfer.bridge_transfer !== null) return legs.moved(tx, action, transfer, details);
  emitStep(tx, action, transfer);
  await logActivity(tx, {
    action,
    actor: asked?.caller ?? null,
    client_id,
    subject_user_id: user_id,
    details: { log_id, status, ...details },
    ...(asked?.request && { request: asked.request }),
  });
};
