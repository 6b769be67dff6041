import { logActivities } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { type ConversionStep, emitConversion } from './events.ts';
import { rupiah } from './presenters.ts';
import type { ConversionJob } from './store.ts';

/** Who asked for it; nobody where the service follows up what was begun. */
export interface ConversionActor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

type Noted = Pick<ConversionJob, 'job_id' | 'reference_id' | 'user_id' | 'client_id' | 'amount'>;

/** Writes a step of jobs down and tells of it, in the transaction that takes it. */
export const noteSteps = async (
  tx: Db,
  action: ConversionStep,
  jobs: readonly Noted[],
  {
    asked,
    ...details
  }: { readonly asked?: ConversionActor; readonly [detail: string]: unknown } = {},
): Promise<void> => {
  for (const job of jobs)
    emitConversion(tx, action, { ...job, batch_amount_idr: rupiah(job.amount) });
  await logActivities(
    tx,
    jobs.map(({ job_id, reference_id, user_id, client_id, amount }) => ({
      action,
      actor: asked?.caller ?? null,
      client_id,
      subject_user_id: user_id,
      details: { job_id, reference_id, units: `${amount}`, ...details },
      ...(asked && { request: asked.request }),
    })),
  );
};
