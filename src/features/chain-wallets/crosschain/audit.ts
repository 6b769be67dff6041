import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { emitStep } from './events.ts';
import type { CrosschainTransfer } from './store.ts';

/** Who asked for it. */
export interface CrosschainActor {
  readonly caller: { readonly user_id: number; readonly client_id: number };
  readonly request?: RequestFacts;
}

/**
 * Records a step of a transfer and emits its event, in the transaction of the step: so once, for every actor.
 * Without anybody who asked it was the service itself, following up what somebody had begun.
 */
export const noteStep = async (
  tx: Db,
  action: `CROSSCHAIN_${string}`,
  transfer: CrosschainTransfer,
  {
    asked,
    ...details
  }: { readonly asked?: CrosschainActor | undefined; readonly [detail: string]: unknown } = {},
): Promise<void> => {
  const { log_id, status, client_id, user_id } = transfer;
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
