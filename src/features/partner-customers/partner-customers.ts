import type { Route } from '#kernel/http/route.ts';
import type { Job } from '#kernel/jobs/job.ts';
import { createOnboarding, type OnboardDeps } from './onboard.ts';
import { partnerRoutes } from './routes.ts';

export interface PartnerCustomers {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}

/** Customers of the partner PSP. */
export function createPartnerCustomers(deps: OnboardDeps): PartnerCustomers {
  const { onboard, jobs } = createOnboarding(deps);
  return { routes: partnerRoutes({ ...deps, onboard }), jobs };
}
