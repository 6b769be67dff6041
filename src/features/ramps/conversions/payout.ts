import {
  insertPayouts,
  movePayouts,
  type PayoutAnswer,
  type PayoutPayer,
  requestPayout,
} from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import { done, type Outcome, type Refusal, refused } from '#kernel/effects/outcome.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { endDiscrepancies } from '#kernel/reconciliation/discrepancies.ts';
import { type Accounts, conversionAccounts } from './accounts.ts';
import { recordConversionSteps } from './audit.ts';
import type { ConversionDeps } from './deps.ts';
import {
  conversionReleaseOperation,
  lateReturnOperation,
  payoutBackOperation,
  payoutOperation,
} from './postings.ts';
import {
  type ConversionJob,
  findJob,
  jobOfReference,
  markConversionFailed,
  markDisbursed,
  markPaidOut,
} from './store.ts';
import { DEPOSIT, DISBURSEMENT_PREFIX } from './terms.ts';

export type PayoutEffect = Effect<ConversionJob, PayoutAnswer>;

const AT_ONCE = 10;
/** A pay-out is booked when the gateway answers a poll, or when it has arrived at the exchange. */
const GRACE_MS = 26 * 3_600_000;
const PAYER = 'conversions';

type Books = Pick<ConversionDeps, 'payouts'>;

/** Jobs' pay-outs to the exchange. Their notifications move the job; polls find whether they have arrived. */
export const conversionPayer = ({
  payouts,
  log,
}: Books & Pick<ConversionDeps, 'log'>): PayoutPayer => ({
  name: PAYER,
  owns: (reference) => reference.startsWith(`${DISBURSEMENT_PREFIX}-`),
  rail: {
    name: 'conversion-payouts',
    graceMs: GRACE_MS,
    isUsed: (db) => hasRows(db, 'conversion_jobs'),
  },
  async notify(tx, { reference }, { status, failure = 'PAYOUT_FAILED' }) {
    const job = await jobOfReference(tx, reference);
    if (!job) return false;
    if (status === 'COMPLETED') return bookPayout({ payouts }, tx, job);
    const why = { code: failure, message: 'The gateway could not pay out' };
    return failJob(tx, job, why, await conversionAccounts(tx));
  },
  async bookReturn(tx, { reference }, failure) {
    const known = await jobOfReference(tx, reference);
    if (!known) return undefined;
    const why = { code: failure, message: 'The bank has sent the pay-out back' };
    const job = await markConversionFailed(tx, known.job_id, why);
    await giveBackLimits(tx, { operation: reference, kind: 'conversion' });
    await recordConversionSteps(tx, 'CONVERSION_PAYOUT_RETURNED', [known], { code: failure });
    await endDiscrepancies(tx, DEPOSIT, [reference]);
    if (job) return [payoutBackOperation(job, await conversionAccounts(tx))];
    // The exchange has confirmed it: gateway or exchange is wrong, and the owner does not pay for that.
    log.error({ reference, failure }, 'A pay-out came back that the exchange has confirmed');
    return [lateReturnOperation(known, await conversionAccounts(tx))];
  },
  // The wallet has its money again, and the exchange has the rupiah: a person claims those.
  bookLate: async (_, { units: lost }) => ({ lost }),
});

/** Records the pay-outs, in the transaction that begins their effects. */
export const recordPayouts = (tx: Db, jobs: readonly ConversionJob[]): Promise<void> =>
  insertPayouts(
    tx,
    jobs.map(({ reference_id: reference, client_id, amount: units }) => ({
      reference,
      client_id,
      units,
      asset: 'IDR',
      payer: PAYER,
    })),
  );

/** A job's pay-out to the exchange, by the gateway, under the job's reference: once for all repetitions. */
export const payoutEffect = (deps: Omit<ConversionDeps, 'effects'>): PayoutEffect => {
  const { bank } = deps;
  return defineEffect<ConversionJob, PayoutAnswer>({
    kind: 'conversion-payout',
    provider: 'gateway',
    repeatable: true,
    concurrency: AT_ONCE,
    pauses: { firstMs: 5000, maxMs: 600_000 },
    open: (db, id) => findJob(db, {}, Number(id)),
    names: ({ job_id }) =>
      ['hold', 'release', 'payout'].map((step) => `conversion:${job_id}:${step}`),
    call: async ({ reference_id: reference, amount: units }) =>
      failureAsRefusal(
        await requestPayout(deps, {
          reference,
          asset: 'IDR',
          units,
          to: bank,
          description: reference,
        }),
      ),
    lookUp: async ({ reference_id }) => {
      const found = await deps.payouts.find(reference_id);
      if (found.kind !== 'done') return found;
      return found.value ? failureAsRefusal(done(found.value)) : done(undefined);
    },
    settle: async (tx, { job_id, reference_id }, { id, status }) => {
      const job = await markDisbursed(tx, job_id, id);
      if (!job) throw new Error(`Job ${job_id} is not to be disbursed`);
      await movePayouts(tx, [reference_id], 'SENT', { gatewayId: id });
      await recordConversionSteps(tx, 'CONVERSION_DISBURSED', [job], { disbursement_id: id });
      if (status === 'COMPLETED') await bookPayout(deps, tx, job);
    },
    refuse: async (tx, job, why) => {
      await failJob(tx, job, why, await conversionAccounts(tx));
      return undefined;
    },
  });
};

/** A failed pay-out counts as refused, only later. */
const failureAsRefusal = (answer: Outcome<PayoutAnswer>): Outcome<PayoutAnswer> =>
  answer.kind === 'done' && answer.value.status === 'FAILED'
    ? refused(answer.value.failureCode ?? 'PAYOUT_FAILED', 'The gateway could not pay out')
    : answer;

/** The gateway has paid out. Once; posts last. */
async function bookPayout({ payouts }: Books, tx: Db, job: ConversionJob): Promise<boolean> {
  if (!(await markPaidOut(tx, job.job_id))) return false;
  await payouts.bookPaid(tx, [job.reference_id]);
  await postWithin(tx, payoutOperation(job, await conversionAccounts(tx)));
  return true;
}

/** The pay-out has failed: the wallet gets its money back, from the hold or from the gateway. */
async function failJob(
  tx: Db,
  { job_id, reference_id }: ConversionJob,
  why: Pick<Refusal, 'code' | 'message'>,
  house: Accounts,
): Promise<boolean> {
  const job = await markConversionFailed(tx, job_id, why);
  if (!job) return false;
  await giveBackLimits(tx, { operation: reference_id, kind: 'conversion' });
  await movePayouts(tx, [reference_id], 'FAILED', { failure: why.code });
  await endDiscrepancies(tx, DEPOSIT, [reference_id]);
  await recordConversionSteps(tx, 'CONVERSION_FAILED', [job], { code: why.code });
  await postWithin(tx, backOperation(job, house));
  return true;
}

const backOperation = (job: ConversionJob, house: Accounts): Operation =>
  job.paid_out_at === null ? conversionReleaseOperation(job) : payoutBackOperation(job, house);
