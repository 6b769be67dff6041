import { codeTable } from '../code-table.ts';
import type { HostPaymentState } from './port.ts';

const SETS =
  'https://www.iso20022.org/catalogue-messages/additional-content-messages/external-code-sets';

/** A code that is not listed decides nothing, and the bank is asked again. */
export const HOST_STATUSES = codeTable<HostPaymentState['status']>({
  source: `${SETS} (ExternalPaymentTransactionStatus1Code)`,
  read: null,
  meanings: {
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
  },
});

/** Reasons that refuse a repetition and not the payment: the first one of that name counts. */
export const HOST_DUPLICATES = codeTable<'duplicate'>({
  source: `${SETS} (ExternalStatusReason1Code)`,
  read: null,
  meanings: {
    AM05: 'duplicate',
    DU01: 'duplicate',
    DU02: 'duplicate',
    DU03: 'duplicate',
    DU04: 'duplicate',
    DU05: 'duplicate',
  },
});
