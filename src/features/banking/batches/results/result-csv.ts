import { Type } from 'typebox';
import { declaredColumnsOf, headLine, rowLine } from '#kernel/http/declare/csv.ts';
import { format } from '#kernel/money/money.ts';
import type { BatchItem } from '../items-store.ts';
import { receivedOfItem } from '../quoted.ts';
import { failureOf, returnOf } from './outcome.ts';

const names = [
  ...['line', 'reference', 'payee', 'account', 'amount', 'currency', 'fee', 'note', 'status'],
  ...['payment_id', 'provider_reference', 'failure_code', 'failure_message', 'returned_reason'],
  ...['returned_at', 'updated_at', 'received_amount', 'received_currency'],
];
const COLUMNS = declaredColumnsOf(
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))),
);

export const resultHead = headLine(COLUMNS);

/** A payment with its outcome, as a line of a table in which a spreadsheet computes nothing. */
export function resultLine(item: BatchItem): string {
  const failure = failureOf(item);
  const returned = returnOf(item);
  const received = receivedOfItem(item);
  const text = (units: bigint) => format({ asset: item.currency, units });
  return rowLine(COLUMNS, {
    line: item.line,
    reference: item.reference,
    payee: item.payee_name,
    account: item.payee_detail,
    amount: text(item.amount),
    currency: item.currency,
    fee: text(item.fee),
    note: item.note,
    status: item.status,
    payment_id: item.begun_at === null ? null : item.our_reference,
    provider_reference: item.provider_reference,
    failure_code: failure?.provider_code ?? failure?.code,
    failure_message: failure?.message,
    returned_reason: returned?.reason_code,
    returned_at: returned?.at,
    updated_at: item.updated_at,
    received_amount: format(received),
    received_currency: received.asset,
  });
}
