/** Events of contracts, followed from block to block over reorganisations. */
export { caughtUpAt } from './cursor.ts';
export { type EvmFollower, followEvents } from './follower.ts';
export { paymentSources, type SeenPayment, seenPayment } from './payments.ts';
