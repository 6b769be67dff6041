/** What the journal of the chains calls the transaction of a send. */
export const sendReference = (operation: string): string => `onchain:${operation}`;

/** The same of the fee that follows it. */
export const feeReference = (operation: string): string => `onchain-fee:${operation}`;
