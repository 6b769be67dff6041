import { fail } from '#kernel/error.ts';

/** Contract part 2, States: cross-chain transfer. */
export const CROSSCHAIN_STATUSES = ['INITIATED', 'BURNED', 'MINTED', 'FAILED'] as const;
export type CrosschainStatus = (typeof CROSSCHAIN_STATUSES)[number];

export const logNotFound = () => fail('NOT_FOUND', 'Bridge log not found');
export const alreadyBurned = () =>
  fail('INVALID_STATUS', 'Invalid status. Burn already executed or failed.');
export const alreadyMinted = () => fail('INVALID_STATUS', 'Already minted');
export const notBurned = () => fail('INVALID_STATUS', 'Invalid status. Burn is not executed.');
/** Not now: the same call may succeed a little later, and is never kept as the answer. */
export const notReady = (message: string, retryAfter = 15) =>
  fail('NOT_READY', message, { retryAfter });
/** Somebody else is burning it: how that ends decides everything else. */
export const burnUnderWay = () => notReady('A burn of this transfer is in progress', 5);
