import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';

/** Who asked for it. */
export interface IdrTokenActor {
  readonly caller: { readonly user_id: number; readonly client_id: number };
  readonly request?: RequestFacts;
}

interface Subject {
  readonly user_id: number;
  readonly client_id: number;
  readonly reference_id: string;
}

/**
 * Writes a step down, in the transaction that takes it: so once, and whoever takes it. Without anybody
 * who asked it was the service itself, following up what somebody had begun.
 */
export const noteIdrTokenStep = (
  tx: Db,
  action: `IDR_${string}`,
  { user_id, client_id, reference_id }: Subject,
  {
    asked,
    ...details
  }: { readonly asked?: IdrTokenActor; readonly [detail: string]: unknown } = {},
): Promise<void> =>
  logActivity(tx, {
    action,
    actor: asked?.caller ?? null,
    client_id,
    subject_user_id: user_id,
    details: { reference_id, ...details },
    ...(asked?.request && { request: asked.request }),
  });
