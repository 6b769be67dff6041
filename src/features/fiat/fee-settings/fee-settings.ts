import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { feeSettingsUpdated } from './events.ts';
import { feeSettingsRoutes } from './routes.ts';

export { DEFAULT_TERMS, type FeeTerms } from './store.ts';
export { feeTermsFor } from './terms.ts';

/** What the platform charges for sends on chain, by client. */
export const createFeeSettings = (deps: Pick<Kernel, 'config'>): Feature => ({
  name: 'fee-settings',
  routes: feeSettingsRoutes(deps),
  events: [feeSettingsUpdated],
});
