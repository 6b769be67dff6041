import { Type } from 'typebox';
import { FIAT, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, IdInput, stamped } from '#kernel/http/declare/schema.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { NAMELESS, namesOf, namesReaderOf } from '#kernel/object-names/object-names.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { transact } from '#kernel/transact.ts';
import { checkoutUrl } from './checkout/keys.ts';
import { createInvoice } from './create.ts';
import type { InvoicesGiven, TryingDeps } from './deps.ts';
import { InvoiceInput } from './input.ts';
import { endUnpaid } from './paid.ts';
import { payFromWallet } from './pay.ts';
import { invoicePaymentOfOperation } from './payment-store.ts';
import {
  ShownInvoice,
  ShownInvoicePayment,
  shownInvoicePayment,
  shownMerchantInvoice,
} from './presenters.ts';
import {
  findInvoice,
  INVOICE_STATUSES,
  invoiceOfOperation,
  listMerchantInvoices,
  lockInvoice,
  type MerchantInvoice,
  PAYABLE_STATUSES,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownInvoice });
type PageDeps = TryingDeps & Pick<InvoicesGiven, 'vault' | 'publicUrl'>;

const shown = (deps: PageDeps, invoice: MerchantInvoice) => ({
  ...shownMerchantInvoice(invoice),
  checkout_url: checkoutUrl(deps, invoice.invoice_id),
});
export const ByInvoice = Type.Object({ invoice_id: objectIdInput('inv') });

/** Money that is asked for, and how it is paid. */
export const invoiceRoutes = (deps: PageDeps): Route[] => [
  createRoute(deps),
  listRoute(deps),
  readRoute(deps),
  cancelRoute(deps),
  setMetadata(deps),
  payRoute(deps),
];

const createRoute = (deps: PageDeps): Route =>
  endpoint('POST /payment-gateway/invoices', {
    name: 'invoices.create',
    auth: 'user',
    movesMoney: true,
    creates: 'invoice',
    errors: [
      ...(['WALLET_NOT_FOUND', 'CURRENCY_MISMATCH', 'AMOUNT_MISMATCH', 'SAME_WALLET'] as const),
      'CONFLICT',
    ],
    summary: 'Asks for money, which arrives in one’s own wallet and those that get a part',
    body: InvoiceInput,
    example: { amount: '12.50', currency: FIAT[0], description: 'Order 2041' },
    reply: { 201: One },
    atomic: true,
    fault: 'Failed to create the invoice',
    async handler({ caller, body, operation, db }) {
      const known = await invoiceOfOperation(db, operation);
      const invoice = known ?? (await createInvoice(deps, db, { caller, body, operation }));
      return at(201, { data: shown(deps, invoice) });
    },
  });

const listRoute = (deps: PageDeps): Route =>
  endpoint('GET /payment-gateway/invoices', {
    name: 'invoices.list',
    csv: 'data.items',
    auth: 'user',
    console: true,
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists invoices, newest first',
    query: Type.Object(moneyListQuery(INVOICE_STATUSES)),
    reply: { 200: stamped({ data: cursorPage(ShownInvoice) }) },
    fault: 'Failed to list invoices',
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      const of = { scope: tenantScopeOf(caller), reader: namesReaderOf(caller) };
      const { rows, looked } = await listMerchantInvoices(db, of, query, wanted);
      const data = page(
        rows,
        ({ serial }) => serial,
        (row) => shown(deps, row),
        looked,
      );
      return new Paged({ data }, data.next_cursor);
    },
  });

const readRoute = (deps: PageDeps): Route =>
  endpoint('GET /payment-gateway/invoices/{invoice_id}', {
    name: 'invoices.get',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND'],
    summary: 'Shows an invoice with its payments',
    params: ByInvoice,
    reply: { 200: One },
    fault: 'Failed to read the invoice',
    async handler({ caller, params, db }) {
      const found = await findInvoice(db, tenantScopeOf(caller), params.invoice_id);
      if (!found) throw fail('NOT_FOUND', 'Invoice not found');
      return { data: shown(deps, found) };
    },
  });

const cancelRoute = (deps: PageDeps): Route =>
  endpoint('POST /payment-gateway/invoices/{invoice_id}/cancel', {
    name: 'invoices.cancel',
    auth: 'user',
    console: 'proof',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Asks for the money no more',
    params: ByInvoice,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to cancel the invoice',
    async handler({ caller, params: { invoice_id }, db }) {
      const invoice = await lockInvoice(db, tenantScopeOf(caller), invoice_id);
      if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
      if (invoice.status === 'CANCELLED') return { data: shown(deps, invoice) };
      const cancelled = await endUnpaid(deps, db, invoice, 'CANCELLED');
      if (!cancelled) throw notAllowedIn(invoice.status, PAYABLE_STATUSES);
      await postAllWithin(db, cancelled.operations);
      return { data: shown(deps, cancelled.invoice) };
    },
  });

const setMetadata = (deps: PageDeps): Route =>
  metadataRoute('PATCH /payment-gateway/invoices/{invoice_id}/metadata', {
    name: 'invoices.setMetadata',
    noun: 'an invoice',
    params: ByInvoice,
    shape: ShownInvoice,
    async find(db, caller, { invoice_id }) {
      const invoice = await findInvoice(db, tenantScopeOf(caller), invoice_id);
      if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
      const { object_id: id, client_id, user_id } = invoice;
      return {
        object: { type: 'invoice', kind: 'invoice', id, client_id, user_id },
        data: shown(deps, invoice),
      };
    },
  });

const payRoute = (deps: TryingDeps): Route =>
  endpoint('POST /payment-gateway/invoices/{invoice_id}/pay', {
    name: 'invoices.pay',
    auth: 'user',
    requiresKey: true,
    creates: { kind: 'invoice_payment', object: 'payment' },
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'WALLET_NOT_FOUND', 'CURRENCY_MISMATCH'] as const),
      ...(['SAME_WALLET', 'INSUFFICIENT_BALANCE', 'WALLET_FROZEN', 'CONFLICT'] as const),
      'METHOD_NOT_AVAILABLE',
      ...POLICY_ERRORS,
    ],
    summary: 'Pays an invoice of another person of the client from one’s own wallet',
    params: ByInvoice,
    body: Type.Object({ from_wallet_id: explained(IdInput, 'A wallet of one’s own') }),
    example: { from_wallet_id: 3 },
    reply: { 201: stamped({ data: ShownInvoicePayment }) },
    fault: 'Failed to pay the invoice',
    async handler({ caller, params, body, request, operation, db }) {
      const known = await invoicePaymentOfOperation(db, operation);
      if (known) {
        const names = await namesOf(db, 'payment', [known.object_id], 'operator');
        const shown = { ...known, names: names.get(known.object_id) ?? NAMELESS };
        return at(201, { data: shownInvoicePayment(shown) });
      }
      const { user_id } = caller;
      const from = await findFiatWallet(db, { user_id }, body.from_wallet_id);
      if (!from) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
      const market = await readPolicyMarket(deps.fx);
      const paying = { caller, request, operation, from, market, ...params };
      const paid = await transact(db, (tx) => payFromWallet(deps, tx, paying));
      return at(201, { data: shownInvoicePayment(paid) });
    },
  });
