import { Type } from 'typebox';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { doubtsOf } from '#kernel/effects/doubts.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, stamped, textInput } from '#kernel/http/declare/schema.ts';
import { MoneyInput } from '#kernel/money/amount-fields.ts';
import { NAMELESS, namesOf, namesReaderOf } from '#kernel/object-names/object-names.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { transact } from '#kernel/transact.ts';
import { ByInvoice } from '../routes.ts';
import { findInvoice } from '../store.ts';
import { claimUrlOf } from './claim-link.ts';
import type { RefundDeps } from './deps.ts';
import type { GivingBack } from './giving.ts';
import { refundInvoice } from './refund.ts';
import {
  INVOICE_REFUND_STATUSES,
  type InvoiceRefund,
  invoiceRefundOfOperation,
  refundsOfInvoice,
  requireInvoiceRefund,
} from './refund-store.ts';
import { MadeInvoiceRefund, ShownInvoiceRefund, shownInvoiceRefund } from './shown.ts';
import { REFUND_PATIENCE_MS } from './to-bank.ts';

const endpoint = endpoints(codedEnvelope);

/** Money of invoices that is given back. */
export const invoiceRefundRoutes = (deps: RefundDeps): Route[] => [createRoute(deps), listRoute];

const createRoute = (deps: RefundDeps): Route =>
  endpoint('POST /payment-gateway/invoices/{invoice_id}/refunds', {
    name: 'invoiceRefunds.create',
    auth: 'user',
    console: 'proof',
    requiresKey: true,
    creates: { kind: 'invoice_refund', object: 'refund' },
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'REFUND_EXCEEDS_PAID'] as const),
      'REFUND_NOT_POSSIBLE',
      ...(['REFUND_WINDOW_OVER', 'INSUFFICIENT_BALANCE', 'WALLET_FROZEN', 'CONFLICT'] as const),
      ...(['RAIL_NOT_AVAILABLE', 'CURRENCY_MISMATCH', 'RECIPIENT_UNAVAILABLE'] as const),
      ...(['AMOUNT_BELOW_MINIMUM', 'PROVIDER_NOT_CONFIGURED', 'NUMBER_NOT_SERVED'] as const),
      ...POLICY_ERRORS,
    ],
    summary: 'Gives money of a paid invoice back, in parts or all that is left',
    params: ByInvoice,
    body: Type.Object({
      amount: Type.Optional(
        explained(MoneyInput, 'In the currency of the invoice; all that is left without it'),
      ),
      reason: textInput(250),
      recipient_id: Type.Optional(
        explained(
          objectIdInput('rcp'),
          'A bank account of one’s recipients, for what has come in by the gateway; the payer is asked for one without it',
        ),
      ),
    }),
    example: { amount: '2.50', reason: 'One lamp was broken' },
    reply: { 201: stamped({ data: MadeInvoiceRefund }) },
    fault: 'Failed to refund the invoice',
    async handler({ caller, params, body, request, operation, db }) {
      const { amount, reason, recipient_id } = body;
      const make = async (wanted: Omit<GivingBack, 'market'>) => {
        const market = await readPolicyMarket(deps.fx);
        return transact(db, (tx) => refundInvoice(deps, tx, { ...wanted, market }));
      };
      const refund =
        (await invoiceRefundOfOperation(db, operation)) ??
        (await make({ caller, request, operation, amount, reason, recipient_id, ...params }));
      if (refund.status === 'PENDING')
        await deps.sagas.drive(refund.object_id, { patienceMs: REFUND_PATIENCE_MS });
      const now = await requireInvoiceRefund(db, refund.object_id);
      const [data] = await shownRefunds(db, [now]);
      if (!data) throw new Error(`Refund ${now.object_id} is not shown`);
      return at(201, { data: { ...data, claim_url: claimUrlOf(deps, now) } });
    },
  });

const listRoute: Route = endpoint('GET /payment-gateway/invoices/{invoice_id}/refunds', {
  name: 'invoiceRefunds.list',
  csv: 'data.items',
  auth: 'user',
  console: true,
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
    const found = await shownRefunds(db, rows);
    const both = rows.map(({ serial }, n) => ({ serial, item: found[n] }));
    const data = page(
      both,
      ({ serial }) => serial,
      ({ item }) => item as NonNullable<typeof item>,
      looked,
    );
    return new Paged({ data }, data.next_cursor);
  },
});

/** With what callers call them, and what is in doubt: two statements for all. */
async function shownRefunds(db: Db, rows: readonly InvoiceRefund[]) {
  const ids = rows.map(({ object_id }) => object_id);
  const names = await namesOf(db, 'refund', ids, 'operator');
  const open = rows.filter(({ status }) => status === 'PENDING');
  const doubts = await doubtsOf(
    db,
    open.map(({ object_id }) => object_id),
  );
  return rows.map((row) => {
    const named = { ...row, names: names.get(row.object_id) ?? NAMELESS };
    return shownInvoiceRefund(named, doubts.get(row.object_id));
  });
}
