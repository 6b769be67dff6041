import type { Feature } from '#kernel/feature.ts';
import { type BacktestDeps, backtestJob } from './backtest-job.ts';
import { type BacktestRouteDeps, backtestRoutes } from './backtest-routes.ts';
import { POLICY_EVENTS } from './events.ts';
import { POLICIES_PERSON_DATA } from './person-data.ts';
import { simulateRoute } from './preview-routes.ts';
import { POLICIES_WORDS } from './reference.ts';
import { type PolicyRouteDeps, policyRoutes } from './routes.ts';
import { policySchedules } from './upkeep.ts';

/** Who may pay what: policies that admins write, try and publish by two. */
export function createPolicies(deps: PolicyRouteDeps & BacktestDeps & BacktestRouteDeps): Feature {
  const job = backtestJob(deps);
  return {
    name: 'policies',
    personData: POLICIES_PERSON_DATA,
    reference: POLICIES_WORDS,
    routes: [simulateRoute(deps), ...backtestRoutes(deps, job), ...policyRoutes(deps)],
    events: POLICY_EVENTS,
    jobs: [job],
    schedules: policySchedules(deps),
  };
}
