import type { GatewayPayment, Payout } from '#providers/gateway/port.ts';
import { codeTable } from '../code-table.ts';

export const IDRX_PAYMENTS = codeTable<GatewayPayment['status']>({
  source: 'https://docs.idrx.co/api/transaction-history (paymentStatus)',
  read: null,
  meanings: { WAITING_FOR_PAYMENT: 'PENDING', PAID: 'PAID', EXPIRED: 'EXPIRED' },
});

/** Of a mint: one that ends otherwise than by MINTED never becomes a token. */
export const IDRX_MINTS = codeTable<'minted' | 'failed'>({
  source: 'https://docs.idrx.co/api/transaction-history (userMintStatus)',
  read: null,
  meanings: { MINTED: 'minted', FAILED: 'failed', REJECTED: 'failed', REFUND: 'failed' },
});

export const IDRX_REDEMPTIONS = codeTable<Payout['status']>({
  source: 'https://docs.idrx.co/api/transaction-history (burnStatus)',
  read: null,
  meanings: {
    REQUESTED: 'PENDING',
    PROCESSING: 'PENDING',
    PROCESSED: 'COMPLETED',
    REJECTED: 'FAILED',
  },
});
