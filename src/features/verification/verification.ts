import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { IdentityProvider } from '#providers/identity/port.ts';
import { changeLevelRoute } from './change-level.ts';
import { createDecisions, type DecisionHooks } from './decide.ts';
import { hostedRoutes } from './hosted.ts';
import { statusRoutes } from './routes.ts';
import { findVerifiedName } from './store.ts';
import { syncRoute } from './sync-status.ts';
import { createWebhook } from './webhook.ts';

export type VerificationDeps = Pick<
  Kernel,
  'config' | 'db' | 'clock' | 'log' | 'jobs' | 'inboxes'
> &
  DecisionHooks & { readonly identity: IdentityProvider };

/** Verification of people and companies (contract: Identity verification). */
export function createVerification(deps: VerificationDeps): Feature {
  const { onApproved, onKyc } = deps;
  const decisions = createDecisions({ onApproved, onKyc });
  const webhook = createWebhook({ ...deps, decisions });
  return {
    name: 'verification',
    routes: [
      ...statusRoutes(),
      ...hostedRoutes({ ...deps, decisions }),
      changeLevelRoute(deps),
      syncRoute({ ...deps, decisions }),
      webhook.route,
    ],
    jobs: webhook.jobs,
    inboxes: [webhook.inbox],
  };
}

/** The name that an individual was approved under; null where nobody has told it. */
export const verifiedNameOf = (db: Db, user_id: number): Promise<string | null> =>
  findVerifiedName(db, user_id);
