import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type SimulateDeps, simulateRoute } from './preview-routes.ts';
import { POLICIES_WORDS } from './reference.ts';
import { type PolicyRouteDeps, policyRoutes } from './routes.ts';
import { policySchedules } from './upkeep.ts';

/** Who may pay what: policies that admins write, try and publish by two. */
export const createPolicies = (
  deps: PolicyRouteDeps & SimulateDeps & Pick<Kernel, 'db'>,
): Feature => ({
  name: 'policies',
  reference: POLICIES_WORDS,
  routes: [simulateRoute(deps), ...policyRoutes(deps)],
  schedules: policySchedules(deps),
});
