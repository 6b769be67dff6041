import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { invoiceHouse, refundReturned, strayRefundPaid } from '../postings.ts';
import { emitUnmatchedMoney } from '../unmatched/events.ts';
import { moveUnmatchedMoney } from '../unmatched/store.ts';
import type { InvoiceRefund } from './refund-store.ts';

const strayOf = ({ unmatched_id, object_id }: InvoiceRefund): { unmatched_id: string } => {
  if (unmatched_id === null) throw new Error(`${object_id} is a refund of an invoice`);
  return { unmatched_id };
};

/** Money that pays no invoice is back at its payer's bank. Answers the posting. */
export async function strayBack(tx: Db, refund: InvoiceRefund): Promise<Operation> {
  const move = { from: 'REFUNDING', to: 'REFUNDED' } as const;
  emitUnmatchedMoney(
    tx,
    'refunded',
    await moveUnmatchedMoney(tx, strayOf(refund), move, { owed: 0n }),
  );
  return strayRefundPaid(tx, refund);
}

/** It was not paid: it is to be decided again. */
export async function strayKept(tx: Db, refund: InvoiceRefund): Promise<void> {
  const move = { from: 'REFUNDING', to: 'OPEN' } as const;
  emitUnmatchedMoney(tx, 'unmatched', await moveUnmatchedMoney(tx, strayOf(refund), move, {}));
}

/** The bank has sent it back: it is owed again. Answers the posting. */
export async function strayReturned(tx: Db, refund: InvoiceRefund): Promise<Operation> {
  const move = { from: 'REFUNDED', to: 'OPEN' } as const;
  const change = { owed: refund.amount };
  emitUnmatchedMoney(tx, 'unmatched', await moveUnmatchedMoney(tx, strayOf(refund), move, change));
  return refundReturned(tx, await invoiceHouse(tx, 'unmatched', refund.currency), refund);
}
