import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { IdentityProvider } from '#providers/identity/port.ts';
import { changeLevelRoute } from './change-level-routes.ts';
import { createDecisions, type DecisionHooks } from './decide.ts';
import { VERIFICATION_EVENTS } from './events.ts';
import { hostedRoutes } from './hosted-routes.ts';
import { VERIFICATION_PERSON_DATA } from './person-data.ts';
import { statusRoutes } from './routes.ts';
import { syncRoute } from './sync-routes.ts';
import { createWebhook } from './webhook-routes.ts';

export { NOT_SUBMITTED, UNDECIDED, type VerificationStatus } from './statuses.ts';
export {
  recordFirstVerification,
  recordVerification,
  verifiedNameOf,
  verifiedOfPage,
} from './store.ts';

import { VERIFICATION_WORDS } from './reference.ts';

export type VerificationDeps = Pick<
  Kernel,
  'config' | 'db' | 'clock' | 'log' | 'jobs' | 'inboxes'
> &
  DecisionHooks & { readonly identity: IdentityProvider };

/** Verification of people and companies (contract: Identity verification). */
export function createVerification(deps: VerificationDeps): Feature {
  const decisions = createDecisions(deps);
  const webhook = createWebhook({ ...deps, decisions });
  return {
    name: 'verification',
    personData: VERIFICATION_PERSON_DATA,
    reference: VERIFICATION_WORDS,
    routes: [
      ...statusRoutes(),
      ...hostedRoutes({ ...deps, decisions }),
      changeLevelRoute(deps),
      syncRoute({ ...deps, decisions }),
      webhook.route,
    ],
    jobs: webhook.jobs,
    inboxes: [webhook.inbox],
    events: VERIFICATION_EVENTS,
  };
}
