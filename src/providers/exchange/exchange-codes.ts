import { codeTable } from '../code-table.ts';
import type { Withdrawal } from './port.ts';

/** As ccxt names a withdrawal's status. */
export const WITHDRAWALS = codeTable<Withdrawal['status']>({
  source: 'https://docs.ccxt.com/#/?id=transaction-structure',
  read: null,
  meanings: { pending: 'PROCESSING', ok: 'COMPLETED', failed: 'FAILED', canceled: 'FAILED' },
});
