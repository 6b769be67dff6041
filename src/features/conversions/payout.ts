import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import { done, type Outcome, type Refusal, refused } from '#kernel/effects/outcome.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Payout } from '#providers/gateway/port.ts';
import type { Accounts } from './accounts.ts';
import type { ConversionDeps } from './deps.ts';
import { noteSteps } from './note.ts';
import { payoutBackOperation, payoutOperation, releaseOperation } from './postings.ts';
import { findJob, type Job, markDisbursed, markFailed, markPaidOut } from './store.ts';

export type PayoutEffect = Effect<Job, Payout>;

const AT_ONCE = 10;

/** A job's pay-out to the exchange, by the gateway, under the job's reference: once, however often. */
export const payoutEffect = ({
  gateway,
  bank,
  accounts,
}: Omit<ConversionDeps, 'effects'>): PayoutEffect =>
  defineEffect<Job, Payout>({
    kind: 'conversion-payout',
    repeatable: true,
    concurrency: AT_ONCE,
    pauses: { firstMs: 5000, maxMs: 600_000 },
    open: (db, id) => findJob(db, {}, Number(id)),
    names: ({ job_id }) =>
      ['hold', 'release', 'payout'].map((step) => `conversion:${job_id}:${step}`),
    call: async ({ reference_id, amount }) =>
      weigh(
        await gateway.createPayout({
          reference: reference_id,
          units: amount,
          to: bank,
          description: reference_id,
        }),
      ),
    lookUp: async ({ reference_id }) => {
      const found = await gateway.findPayout(reference_id);
      if (found.kind !== 'done') return found;
      return found.value ? weigh(done(found.value)) : done(undefined);
    },
    settle: async (tx, { job_id }, { id, status }) => {
      const job = await markDisbursed(tx, job_id, id);
      if (!job) throw new Error(`Job ${job_id} is not to be disbursed`);
      await noteSteps(tx, 'CONVERSION_DISBURSED', [job], { disbursement_id: id });
      if (status === 'COMPLETED') await bookPayout(tx, job, await accounts());
    },
    refuse: async (tx, job, why) => {
      await failJob(tx, job, why, await accounts());
      return undefined;
    },
  });

/** One that the gateway has given up was refused, only later. */
const weigh = (told: Outcome<Payout>): Outcome<Payout> =>
  told.kind === 'done' && told.value.status === 'FAILED'
    ? refused(told.value.failureCode ?? 'PAYOUT_FAILED', 'The gateway could not pay out')
    : told;

/** The gateway has paid out. Once; posts last. */
export async function bookPayout(tx: Db, job: Job, house: Accounts): Promise<void> {
  if (await markPaidOut(tx, job.job_id)) await postWithin(tx, payoutOperation(job, house));
}

/** The pay-out has come to nothing: the wallet gets its money back, from wherever it is by now. */
export async function failJob(
  tx: Db,
  { job_id }: Job,
  why: Pick<Refusal, 'code' | 'message'>,
  house: Accounts,
): Promise<boolean> {
  const job = await markFailed(tx, job_id, why);
  if (!job) return false;
  await noteSteps(tx, 'CONVERSION_FAILED', [job], { code: why.code });
  const back = job.paid_out_at === null ? releaseOperation(job) : payoutBackOperation(job, house);
  await postWithin(tx, back);
  return true;
}
