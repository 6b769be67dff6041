export type VerificationStatus = 'PENDING' | 'APPROVED' | 'REJECTED';

/** What a verification is called where there is no record of one (contract: States). */
export const NOT_SUBMITTED = 'Not yet Submit';

/** The same of either kind: of companies the contract knows the three statuses only. */
export const UNDECIDED = { KYC: NOT_SUBMITTED, KYB: 'PENDING' } as const;
