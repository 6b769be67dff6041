import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { recordConversionSteps } from './audit.ts';
import type { ConversionStep } from './events.ts';
import { deferJob, getJob } from './store.ts';
import { pauseAfter } from './terms.ts';

/** The exchange has refused a step of the job: the job retries it after a pause, which grows with each refusal. */
export async function retryLater(
  tx: Db,
  clock: Clock,
  job_id: number,
  {
    step,
    ...why
  }: { readonly code: string; readonly message: string; readonly step: ConversionStep },
): Promise<void> {
  const job = await getJob(tx, job_id);
  const tryAt = new Date(clock.now().getTime() + pauseAfter(job.tries));
  await deferJob(tx, job_id, { ...why, tryAt });
  await recordConversionSteps(tx, step, [job], { code: why.code });
}
