import type { HostPaymentState } from './port.ts';

/**
 * ISO 20022's codes of a payment's status (External Code Sets, ExternalPaymentTransactionStatus1Code): what each means for
 * the money. A code that is not listed decides nothing, and the bank is asked again.
 */
export const HOST_STATUSES: Readonly<Record<string, HostPaymentState['status']>> = {
  /** Received, and not checked yet. */
  RCVD: 'PENDING',
  PDNG: 'PENDING',
  /** Correct in form; the customer may pay; being settled; accepted with a change. */
  ACTC: 'PENDING',
  ACCP: 'PENDING',
  ACSP: 'PENDING',
  ACWC: 'PENDING',
  /** Settled on the payer's account, and on the payee's. */
  ACSC: 'COMPLETED',
  ACCC: 'COMPLETED',
  RJCT: 'FAILED',
  CANC: 'FAILED',
};

/**
 * Reasons that refuse a repetition and not the payment (ExternalStatusReason1Code): the first one of that name counts.
 */
export const HOST_DUPLICATES: ReadonlySet<string> = new Set([
  'AM05',
  'DU01',
  'DU02',
  'DU03',
  'DU04',
  'DU05',
]);
