import type { Feature } from '#kernel/feature.ts';
import { FEES_WORDS } from './reference.ts';
import { paymentFeeRoutes } from './routes.ts';

export { type ChargedFee, feeOf, feesOf } from './fee-of.ts';

/** What clients charge their users for payments. */
export const createFees = (): Feature => ({
  name: 'fees',
  reference: FEES_WORDS,
  routes: paymentFeeRoutes,
});
