export type VerificationStatus = 'PENDING' | 'APPROVED' | 'REJECTED';

/** The status of a verification without a record (contract: States). */
export const NOT_SUBMITTED = 'Not yet Submit';

/** The same of either kind: for companies the contract has the three statuses only. */
export const UNDECIDED = { KYC: NOT_SUBMITTED, KYB: 'PENDING' } as const;
