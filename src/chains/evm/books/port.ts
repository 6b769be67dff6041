/** Movements of our tokens, by the chain's logs and by the journal: both sides of a reconciliation. */
export { isJournalled, listJournalled } from './journalled.ts';
export { readOurs } from './ours.ts';
export { journalledSupply, journalStamp, tokensGivenBy } from './supply.ts';
