import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { errorCodeEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  DecimalInput,
  Id,
  IdInput,
  stamped,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { Estimate, estimate } from './estimate.ts';
import { executeJob, requireJob } from './execute.ts';
import { withdrawalOf } from './order-store.ts';
import { pollBalance } from './poll.ts';
import {
  JobInfo,
  ReconciliationInfo,
  rupiah,
  shownJob,
  shownReconciliation,
} from './presenters.ts';
import { getReconciliation } from './reconciliation-store.ts';
import type { ConversionRouteDeps } from './routes.ts';
import { startDisbursement } from './start.ts';
import { type ConversionJob, getJob } from './store.ts';
import { executeTrade } from './trades.ts';

const endpoint = endpoints(errorCodeEnvelope);
const JobSelector = Type.Object({ job_id: IdInput });
const Shown = stamped({ message: Type.String(), data: JobInfo });

/** What is done with one job (contract: Exchange conversion). */
export const jobRoutes = (deps: ConversionRouteDeps): Route[] => [
  startRoute(deps),
  executeRoute(deps),
  ...singleRoutes(deps),
];

const startRoute = (deps: ConversionRouteDeps): Route =>
  endpoint('POST /exchange/disbursement/start', {
    name: 'conversions.start',
    creates: 'conversion',
    movesMoney: true,
    auth: 'user',
    errors: [
      ...POLICY_ERRORS,
      'WALLET_NOT_FOUND',
      'AMOUNT_BELOW_MINIMUM',
      'INSUFFICIENT_BALANCE',
      'WALLET_FROZEN',
      'NO_PRIMARY_WALLET',
      'RECONCILIATION_FAILED',
      'DISBURSEMENT_FAILED',
      'PROVIDER_NOT_CONFIGURED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: "Sends rupiah of one's own wallet to the exchange, to be bought USDC for",
    description:
      'The fee of the exchange and that of the network on which the USDC are withdrawn are taken from the USDC, so that ' +
      'less arrives than was bought: `estimate` says how much, by the reference rate and the latest fees.',
    body: Type.Object({ wallet_id: IdInput, amount_idr: DecimalInput }),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          job_id: Id,
          disbursement_id: TextOrNull,
          reference_id: Type.String(),
          amount_idr: Type.Number(),
          status: Type.Literal('DISBURSING'),
          reconciliation: ReconciliationInfo,
          estimate: Estimate,
        }),
      }),
    },
    fault: 'Disbursement failed',
    async handler({ caller, body, operation, request, db }) {
      const { wallet_id, amount_idr: amount } = body;
      const by = { caller, request };
      const job = await startDisbursement(deps, { wallet_id, amount, operation, by });
      const reconciliation = await getReconciliation(db, job.reconciliation_id);
      const data = {
        job_id: job.job_id,
        disbursement_id: job.disbursement_id,
        reference_id: job.reference_id,
        amount_idr: rupiah(job.amount),
        status: 'DISBURSING' as const,
        reconciliation: shownReconciliation(reconciliation, caller),
        estimate: await estimate(deps, job),
      };
      return { message: 'Disbursement to the exchange has started', data };
    },
  });

const executeRoute = (deps: ConversionRouteDeps): Route =>
  endpoint('POST /exchange/conversion/execute/{job_id}', {
    name: 'conversions.execute',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    errors: [
      '409 JOB_EXECUTION_FAILED',
      'JOB_NOT_FOUND',
      'CONFLICT',
      '400 RECONCILIATION_FAILED',
      'NO_PRIMARY_WALLET',
      'JOB_EXECUTION_FAILED',
      'PROVIDER_NOT_CONFIGURED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: "Sees to it that a job's rupiah are on their way, and lets it wait for the exchange",
    params: JobSelector,
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          job_id: Id,
          user_id: Id,
          batch_amount_idr: Type.Number(),
          disbursement_id: TextOrNull,
          status: Type.String(),
          reconciliation_passed: Type.Boolean(),
          executed_at: Timestamp,
        }),
      }),
    },
    fault: 'Job execution failed',
    async handler({ caller, params }) {
      const job = await executeJob(deps, tenantScopeOf(caller), params.job_id);
      return { message: 'Job executed', data: shownExecution(job, deps) };
    },
  });

const shownExecution = (
  { job_id, user_id, amount, disbursement_id, status }: ConversionJob,
  { clock }: { readonly clock: Clock },
) => ({
  job_id,
  user_id,
  disbursement_id,
  status,
  batch_amount_idr: rupiah(amount),
  reconciliation_passed: true,
  executed_at: clock.now().toISOString(),
});

const singleRoutes = (deps: ConversionRouteDeps): Route[] => [
  endpoint('POST /exchange/conversion/poll-job/{job_id}', {
    name: 'conversions.pollJob',
    movesMoney: true,
    auth: 'admin',
    errors: [
      'JOB_NOT_FOUND',
      'JOB_EXECUTION_FAILED',
      'PROVIDER_NOT_CONFIGURED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Looks whether the rupiah of one job have come to the exchange',
    params: JobSelector,
    reply: { 200: Shown },
    async handler({ caller, params: { job_id }, db }) {
      const scope = tenantScopeOf(caller);
      await requireJob(deps, scope, job_id);
      await pollBalance(deps, scope, job_id);
      return { message: 'Job checked', data: await present(db, await getJob(db, job_id), caller) };
    },
  }),

  endpoint('POST /exchange/conversion/execute-trade/{job_id}', {
    name: 'conversions.executeTrade',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    errors: [
      'JOB_NOT_FOUND',
      'CONFLICT',
      '409 JOB_EXECUTION_FAILED',
      'JOB_EXECUTION_FAILED',
      'NO_PRIMARY_WALLET',
      'PROVIDER_NOT_CONFIGURED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Trades and withdraws one job here and now, also one that was refused before',
    params: JobSelector,
    reply: { 200: Shown },
    async handler({ caller, params: { job_id }, db }) {
      const job = await executeTrade(deps, tenantScopeOf(caller), job_id);
      return { message: 'Trade executed', data: await present(db, job, caller) };
    },
  }),

  endpoint('GET /exchange/conversion/status/{job_id}', {
    name: 'conversions.getStatus',
    auth: 'user',
    errors: ['JOB_NOT_FOUND'],
    summary: 'A conversion job, with what was traded and where it was paid out to',
    params: JobSelector,
    reply: { 200: Shown },
    async handler({ caller, params: { job_id }, db }) {
      const job = await requireJob({ db: deps.db }, tenantScopeOf(caller), job_id);
      return { message: 'Job retrieved', data: await present(db, job, caller) };
    },
  }),
];

const present = async (db: Db, job: ConversionJob, caller: UserCaller) =>
  shownJob(
    job,
    await getReconciliation(db, job.reconciliation_id),
    await withdrawalOf(db, job.job_id),
    caller,
  );
