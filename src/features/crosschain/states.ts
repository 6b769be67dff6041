import { fail } from '#kernel/http/error.ts';

/** Contract part 2, States: cross-chain transfer. */
export const STATUSES = ['INITIATED', 'BURNED', 'MINTED', 'FAILED'] as const;
export type Status = (typeof STATUSES)[number];

/** Where a transfer may go; each step is one conditional update of `store.ts`. */
export const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  INITIATED: ['BURNED', 'FAILED'],
  BURNED: ['MINTED'],
  MINTED: [],
  FAILED: [],
};

export const logNotFound = () => fail('NOT_FOUND', 'Bridge log not found');
export const alreadyBurned = () =>
  fail('INVALID_STATUS', 'Invalid status. Burn already executed or failed.');
export const alreadyMinted = () => fail('INVALID_STATUS', 'Already minted');
export const notBurned = () => fail('INVALID_STATUS', 'Invalid status. Burn is not executed.');
/** Somebody else is burning it: how that ends decides everything else. */
export const burnUnderWay = () =>
  fail('CONFLICT', 'A burn of this transfer is in progress', { retryAfter: 5 });
