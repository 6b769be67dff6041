import { codeTable } from '../code-table.ts';
import type { GatewayPayment, Payout } from './port.ts';

export const XENDIT_INVOICES = codeTable<GatewayPayment['status']>({
  source: 'https://docs.xendit.co/apidocs/create-invoice',
  read: null,
  meanings: { PENDING: 'PENDING', PAID: 'PAID', SETTLED: 'PAID', EXPIRED: 'EXPIRED' },
});

/** Of the second and the third version of pay-outs. */
export const XENDIT_PAYOUTS = codeTable<Payout['status']>({
  source: 'https://docs.xendit.co/apidocs/create-payout',
  read: null,
  meanings: {
    ACCEPTED: 'PENDING',
    REQUESTED: 'PENDING',
    PENDING: 'PENDING',
    PENDING_COMPLIANCE_ASSESSMENT: 'PENDING',
    /** Being sent, and no longer to be cancelled. */
    LOCKED: 'PENDING',
    /** Cash that waits for its receiver. */
    READY: 'PENDING',
    SUCCEEDED: 'COMPLETED',
    FAILED: 'FAILED',
    CANCELLED: 'FAILED',
    EXPIRED: 'FAILED',
    REVERSED: 'FAILED',
    COMPLIANCE_REJECTED: 'FAILED',
  },
});
