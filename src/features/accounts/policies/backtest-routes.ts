import { Type } from 'typebox';
import { clientScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField, objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  Nullable,
  oneOfWords,
  stamped,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import {
  BACKTEST_STATUSES,
  type Backtest,
  findBacktest,
  insertBacktest,
} from '#kernel/policies/backtest-store.ts';
import { findPolicy } from '#kernel/policies/policy-store.ts';
import type { Backtesting } from './backtest-job.ts';
import { Verdicts } from './shapes.ts';

const endpoint = endpoints(codedEnvelope);

export type BacktestRouteDeps = Pick<Kernel, 'clock' | 'jobs'>;

const ShownBacktest = named('PolicyBacktest', {
  backtest_id: objectIdField('bkt'),
  policy_id: objectIdField('pol'),
  days: Type.Integer(),
  status: oneOfWords(BACKTEST_STATUSES),
  seen: explained(Type.Integer(), 'Recorded decisions that it has read'),
  denied: explained(Type.Integer(), 'Of these: refused, also by a limit'),
  held: Type.Integer(),
  to_approve: Type.Integer(),
  to_prove: Type.Integer(),
  differing: explained(Type.Integer(), 'Decided otherwise than then'),
  differences: explained(
    Type.Array(
      named('BacktestDifference', {
        payment_id: TextOrNull,
        at: Timestamp,
        then: Verdicts,
        now: Verdicts,
      }),
    ),
    'The first 1,000 of them',
  ),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
});

const shownBacktest = (row: Backtest) => ({
  backtest_id: objectId('bkt', row.backtest_id),
  policy_id: objectId('pol', row.policy_id),
  days: row.days,
  status: row.status,
  seen: row.seen,
  denied: row.denied,
  held: row.held,
  to_approve: row.to_approve,
  to_prove: row.to_prove,
  differing: row.differing,
  differences: [...row.differences],
  created_at: row.created_at,
  ended_at: row.ended_at,
});

const One = stamped({ data: ShownBacktest });

/** A policy against what was decided before. */
export const backtestRoutes = (deps: BacktestRouteDeps, job: Job<Backtesting>): Route[] => [
  beginRoute(deps, job),
  readRoute,
];

const beginRoute = ({ clock, jobs }: BacktestRouteDeps, job: Job<Backtesting>): Route =>
  endpoint('POST /policies/{policy_id}/backtest', {
    name: 'policies.backtest',
    team: 'settings:read',
    auth: 'admin',
    errors: ['NOT_FOUND', '409 LIMIT_EXCEEDED'],
    summary: 'Begins to try a policy on the recorded decisions of so many days',
    params: Type.Object({ policy_id: objectIdInput('pol') }),
    body: Type.Object({ days: explained(integerInput(1, 90), 'How far back from now') }),
    reply: { 202: One },
    atomic: true,
    fault: 'Failed to begin the back-test',
    async handler({ caller, params, body: { days }, db }) {
      const policy = await findPolicy(db, clientScopeOf(caller), params.policy_id);
      if (!policy) throw fail('NOT_FOUND', 'Policy not found');
      const { policy_id, client_id } = policy;
      const backtest_id = newObjectUuid(clock.ms());
      const asked = { days, asked_by: caller.user_id, created_at: clock.now().toISOString() };
      const row = await insertBacktest(db, { backtest_id, policy_id, client_id, ...asked });
      if (!row)
        throw fail('LIMIT_EXCEEDED', 'A back-test of this policy is under way', { status: 409 });
      await jobs.enqueue(db, job, { backtest_id }, { key: backtest_id });
      return at(202, { data: shownBacktest(row) });
    },
  });

const readRoute = endpoint('GET /policies/backtests/{backtest_id}', {
  name: 'policies.getBacktest',
  auth: 'admin',
  errors: ['NOT_FOUND'],
  summary: 'Shows a back-test, and what it has found',
  params: Type.Object({ backtest_id: objectIdInput('bkt') }),
  reply: { 200: One },
  fault: 'Failed to read the back-test',
  async handler({ caller, params, db }) {
    const row = await findBacktest(db, clientScopeOf(caller), params.backtest_id);
    if (!row) throw fail('NOT_FOUND', 'Back-test not found');
    return { data: shownBacktest(row) };
  },
});
