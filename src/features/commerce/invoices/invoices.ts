import type { Feature } from '#kernel/feature.ts';
import type { InvoiceDeps } from './deps.ts';
import { INVOICE_EVENTS, INVOICE_PAYERS, INVOICE_PAYMENTS, INVOICE_REFUNDS } from './events.ts';
import { INVOICES_WORDS } from './reference.ts';
import { invoiceRefundRoutes } from './refunds/refund-routes.ts';
import { invoiceRoutes } from './routes.ts';
import { expireInvoices } from './upkeep.ts';

/** Money that merchants ask for, what is paid of it, and what is given back. */
export const createInvoices = (deps: InvoiceDeps): Feature => ({
  name: 'invoices',
  reference: INVOICES_WORDS,
  routes: [...invoiceRoutes(deps), ...invoiceRefundRoutes(deps)],
  schedules: [expireInvoices(deps)],
  events: INVOICE_EVENTS,
  payments: [
    { object: 'payment', rail: 'invoice', source: INVOICE_PAYMENTS },
    { object: 'invoice_payer', rail: 'invoice', source: INVOICE_PAYERS },
    { object: 'refund', rail: 'invoice', source: INVOICE_REFUNDS },
  ],
});
