import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { feeSettingsUpdated } from './events.ts';
import { FEE_SETTINGS_WORDS } from './reference.ts';
import { feeSettingsRoutes } from './routes.ts';

export { DEFAULT_TERMS, type FeeTerms } from './store.ts';
export { feeTermsFor } from './terms.ts';

/** The platform's fees for sends on chain, by client. */
export const createFeeSettings = (deps: Pick<Kernel, 'config'>): Feature => ({
  name: 'fee-settings',
  reference: FEE_SETTINGS_WORDS,
  routes: feeSettingsRoutes(deps),
  events: [feeSettingsUpdated],
});
