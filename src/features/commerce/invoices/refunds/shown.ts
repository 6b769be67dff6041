import { type Static, Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';
import { INVOICE_REFUND_STATUSES, type InvoiceRefund } from './refund-store.ts';

export type NamedInvoiceRefund = InvoiceRefund & { readonly names: ObjectNames };

export const ShownInvoiceRefund = named('InvoiceRefund', {
  refund_id: objectIdField('rfd'),
  invoice_id: objectIdField('inv'),
  payment_id: objectIdField('ipm'),
  amount: MoneyText,
  currency: Type.String(),
  reason: Type.String(),
  ...namesShown,
  ...stateFields(INVOICE_REFUND_STATUSES),
});

export const shownInvoiceRefund = ({
  names,
  ...refund
}: NamedInvoiceRefund): Static<typeof ShownInvoiceRefund> => ({
  refund_id: refund.object_id,
  invoice_id: refund.invoice,
  payment_id: refund.payment,
  amount: format({ asset: refund.currency, units: refund.amount }),
  currency: refund.currency,
  reason: refund.reason,
  reference: names.reference,
  metadata: names.metadata,
  ...shownState(refund),
});
