import { type Static, Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import {
  type Doubt,
  type Substatus,
  shownState,
  stateFields,
} from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';
import {
  INVOICE_REFUND_STATUSES,
  INVOICE_REFUND_WAYS,
  type InvoiceRefund,
  type InvoiceRefundStatus,
} from './refund-store.ts';

export type NamedInvoiceRefund = InvoiceRefund & { readonly names: ObjectNames };

const fields = {
  refund_id: objectIdField('rfd'),
  invoice_id: objectIdField('inv'),
  payment_id: objectIdField('ipm'),
  amount: MoneyText,
  currency: Type.String(),
  reason: Type.String(),
  way: explained(oneOfWords(INVOICE_REFUND_WAYS), 'Where it goes'),
  payee: explained(
    Nullable(
      named('RefundPayee', {
        name: Type.String(),
        detail: explained(Type.String(), 'The bank, and the last digits of the account'),
      }),
    ),
    'The bank account that is paid; null where a wallet is, or its payer has not named one yet',
  ),
  claim_expires_at: explained(
    Nullable(Timestamp),
    'Until when the payer can name an account; null where there is no link',
  ),
  provider_reference: explained(TextOrNull, 'The bank’s own number of the transfer'),
  ...namesShown,
  ...stateFields(INVOICE_REFUND_STATUSES),
};

export const ShownInvoiceRefund = named('InvoiceRefund', fields);

/** The link of a claim, for the answer that makes it. */
export const ClaimUrl = explained(
  Nullable(secret(Type.String({ format: 'uri' }))),
  'The page on which the payer names an account, where one is waited for. It is shown once, and mailed to the customer of the invoice',
);

/** A refund as it is answered when it is made. */
export const MadeInvoiceRefund = named('MadeInvoiceRefund', { ...fields, claim_url: ClaimUrl });

const WAITS: Partial<Record<InvoiceRefundStatus, Substatus>> = {
  PENDING: 'waiting_for_provider',
  AWAITING_PAYER: 'waiting_for_person',
};

export const shownInvoiceRefund = (
  { names, ...refund }: NamedInvoiceRefund,
  doubt?: Doubt,
): Static<typeof ShownInvoiceRefund> => ({
  refund_id: refund.object_id,
  invoice_id: refund.invoice,
  payment_id: refund.payment,
  amount: format({ asset: refund.currency, units: refund.amount }),
  currency: refund.currency,
  reason: refund.reason,
  way: refund.way,
  payee:
    refund.payee_name === null || refund.payee_detail === null
      ? null
      : { name: refund.payee_name, detail: refund.payee_detail },
  claim_expires_at: refund.claim_expires_at,
  provider_reference: refund.provider_reference,
  reference: names.reference,
  metadata: names.metadata,
  ...shownState(refund, { doubt, waits: WAITS[refund.status] }),
});
