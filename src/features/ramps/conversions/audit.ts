import { logActivities } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { type ConversionStep, emitConversion } from './events.ts';
import { rupiah } from './presenters.ts';
import type { ConversionJob } from './store.ts';

/** The requester; without one the service acts by itself. */
export interface ConversionActor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

type Noted = Pick<ConversionJob, 'job_id' | 'reference_id' | 'user_id' | 'client_id' | 'amount'>;

/** Writes the audit entries of a step and emits its events, in the transaction that takes it. */
export const recordConversionSteps = async (
  tx: Db,
  action: ConversionStep,
  jobs: readonly Noted[],
  { by, ...details }: { readonly by?: ConversionActor; readonly [detail: string]: unknown } = {},
): Promise<void> => {
  for (const job of jobs)
    emitConversion(tx, action, { ...job, batch_amount_idr: rupiah(job.amount) });
  await logActivities(
    tx,
    jobs.map(({ job_id, reference_id, user_id, client_id, amount }) => ({
      action,
      actor: by?.caller ?? null,
      client_id,
      subject_user_id: user_id,
      details: { job_id, reference_id, units: `${amount}`, ...details },
      ...(by && { request: by.request }),
    })),
  );
};
