/** A process of its own for crash tests: has banks asked for withdrawals and refunds, each of which hangs at the given point. */

import { beginDue } from '#features/banking/withdrawals/begin.ts';
import {
  withdrawalCreditMachine as crediting,
  withdrawalsToBanks,
} from '#features/banking/withdrawals/flow.ts';
import { nameAccount } from '#features/commerce/invoices/refunds/claim.ts';
import { refundsToBanks } from '#features/commerce/invoices/refunds/flow.ts';
import { requireInvoiceRefund } from '#features/commerce/invoices/refunds/refund-store.ts';
import { transact } from '#kernel/transact.ts';
import { hangingPayouts } from './hanging-payouts.ts';

const deps = hangingPayouts(JSON.parse(process.argv[2] ?? '{}'));
const { db, clock, sagas, vault } = deps;
const { machine: paying } = withdrawalsToBanks(deps);
const { machine: refunding } = refundsToBanks(deps);
sagas.register([paying, refunding]);
const ACCOUNT = { bankCode: 'BCA', accountNumber: '8800123456', accountName: 'Budi Santoso' };

await deps.hangAll((id) =>
  id.startsWith('rfd_')
    ? beginRefund(id)
    : transact(db, (tx) => beginDue({ clock, sagas, paying, crediting }, tx, id)),
);

/** Its payer names an account. */
async function beginRefund(id: string): Promise<void> {
  const refund = await requireInvoiceRefund(db, id);
  await transact(db, (tx) => nameAccount({ clock, vault, sagas, refunding }, tx, refund, ACCOUNT));
}
