import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';

/** The requester of a step. */
export interface IdrTokenActor {
  readonly caller: { readonly user_id: number; readonly client_id: number };
  readonly request?: RequestFacts;
}

interface Subject {
  readonly user_id: number;
  readonly client_id: number;
  readonly reference_id: string;
}

/** Writes the audit entry of a step, once, in the transaction that takes it. Without a requester the service acts. */
export const recordIdrTokenStep = (
  tx: Db,
  action: `IDR_${string}`,
  { user_id, client_id, reference_id }: Subject,
  { by, ...details }: { readonly by?: IdrTokenActor; readonly [detail: string]: unknown } = {},
): Promise<void> =>
  logActivity(tx, {
    action,
    actor: by?.caller ?? null,
    client_id,
    subject_user_id: user_id,
    details: { reference_id, ...details },
    ...(by?.request && { request: by.request }),
  });
