import type { Feature } from '#kernel/feature.ts';
import { createOnboarding, type OnboardDeps } from './onboard.ts';
import { partnerRoutes } from './routes.ts';

/** Customers of the partner PSP. */
export function createPartnerCustomers(deps: OnboardDeps): Feature {
  const { onboard, jobs } = createOnboarding(deps);
  return { name: 'partner-customers', routes: partnerRoutes({ ...deps, onboard }), jobs };
}
