import { Type } from 'typebox';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { at, endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, stamped, textInput } from '#kernel/http/declare/schema.ts';
import { MoneyInput } from '#kernel/money/amount-fields.ts';
import { NAMELESS, namesOf, namesReaderOf } from '#kernel/object-names/object-names.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { transact } from '#kernel/transact.ts';
import type { InvoiceDeps } from '../deps.ts';
import { ByInvoice } from '../routes.ts';
import { findInvoice } from '../store.ts';
import { refundInvoice } from './refund.ts';
import {
  INVOICE_REFUND_STATUSES,
  type InvoiceRefund,
  invoiceRefundOfOperation,
  refundsOfInvoice,
} from './refund-store.ts';
import { type NamedInvoiceRefund, ShownInvoiceRefund, shownInvoiceRefund } from './shown.ts';

const endpoint = endpoints(codedEnvelope);

/** Money of invoices that is given back. */
export const invoiceRefundRoutes = (deps: InvoiceDeps): Route[] => [
  endpoint('POST /payment-gateway/invoices/{invoice_id}/refunds', {
    name: 'invoiceRefunds.create',
    auth: 'user',
    requiresKey: true,
    creates: { kind: 'invoice_refund', object: 'refund' },
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'REFUND_EXCEEDS_PAID'] as const),
      'REFUND_NOT_POSSIBLE',
      ...(['REFUND_WINDOW_OVER', 'INSUFFICIENT_BALANCE', 'WALLET_FROZEN', 'CONFLICT'] as const),
      ...POLICY_ERRORS,
    ],
    summary: 'Gives money of a paid invoice back, in parts or all that is left',
    params: ByInvoice,
    body: Type.Object({
      amount: Type.Optional(
        explained(MoneyInput, 'In the currency of the invoice; all that is left without it'),
      ),
      reason: textInput(250),
    }),
    example: { amount: '2.50', reason: 'One lamp was broken' },
    reply: { 201: stamped({ data: ShownInvoiceRefund }) },
    fault: 'Failed to refund the invoice',
    async handler({ caller, params, body, request, operation, db }) {
      const known = await invoiceRefundOfOperation(db, operation);
      if (known) {
        const [shown] = await withRefundNames(db, [known]);
        if (shown) return at(201, { data: shownInvoiceRefund(shown) });
      }
      const { amount, reason } = body;
      const market = await readPolicyMarket(deps.fx);
      const giving = { caller, request, operation, market, amount, reason, ...params };
      const refund = await transact(db, (tx) => refundInvoice(deps, tx, giving));
      return at(201, { data: shownInvoiceRefund(refund) });
    },
  }),

  endpoint('GET /payment-gateway/invoices/{invoice_id}/refunds', {
    name: 'invoiceRefunds.list',
    csv: 'data.items',
    auth: 'user',
    errors: ['NOT_FOUND', 'INVALID_PAGINATION'],
    summary: 'Lists the refunds of an invoice, newest first',
    params: ByInvoice,
    query: Type.Object(moneyListQuery(INVOICE_REFUND_STATUSES)),
    reply: { 200: stamped({ data: cursorPage(ShownInvoiceRefund) }) },
    fault: 'Failed to list refunds',
    async handler({ caller, params: { invoice_id }, query, db }) {
      const invoice = await findInvoice(db, tenantScopeOf(caller), invoice_id);
      if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
      const { wanted: place, page } = cursorReader({ ...query, invoice_id });
      const asked = { reader: namesReaderOf(caller), filters: query, place };
      const { rows, looked } = await refundsOfInvoice(db, invoice_id, asked);
      const found = await withRefundNames(db, rows);
      const data = page(found, ({ serial }) => serial, shownInvoiceRefund, looked);
      return new Paged({ data }, data.next_cursor);
    },
  }),
];

async function withRefundNames(
  db: Db,
  rows: readonly InvoiceRefund[],
): Promise<NamedInvoiceRefund[]> {
  const ids = rows.map(({ object_id }) => object_id);
  const names = await namesOf(db, 'refund', ids, 'operator');
  return rows.map((row) => ({ ...row, names: names.get(row.object_id) ?? NAMELESS }));
}
