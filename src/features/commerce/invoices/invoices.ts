import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { InvoiceDeps, InvoiceInbox } from './deps.ts';
import { INVOICE_EVENTS, INVOICE_PAYERS, INVOICE_PAYMENTS, INVOICE_REFUNDS } from './events.ts';
import { invoiceCallbackRoute } from './gateway/callback-routes.ts';
import {
  closeTriesJob,
  invoiceHints,
  isInvoiceReference,
  receiveInvoiceHint,
} from './gateway/inbox.ts';
import { invoiceTryMachine } from './gateway/machine.ts';
import { invoiceRail } from './gateway/rail.ts';
import { invoiceTryRoutes } from './gateway/routes.ts';
import { INVOICES_WORDS } from './reference.ts';
import { invoiceRefundRoutes } from './refunds/refund-routes.ts';
import { invoiceRoutes } from './routes.ts';
import { unmatchedMoneyRoutes } from './unmatched/routes.ts';
import { countUnmatchedMoney } from './unmatched/store.ts';
import { expireInvoices } from './upkeep.ts';

export { countUnmatchedMoney } from './unmatched/store.ts';

/** Money that merchants ask for, what is paid of it, and what is given back. */
export function createInvoices(given: InvoiceDeps & Pick<Kernel, 'metrics'>): Feature {
  const closing = closeTriesJob(given, (): InvoiceInbox => hints);
  const hints = invoiceHints({ ...given, closing });
  const trying = invoiceTryMachine({ ...given, closing });
  const deps = { ...given, closing, hints, trying };
  given.payouts.incoming.join({
    owns: isInvoiceReference,
    receive: (notification, isTrusted) => receiveInvoiceHint(deps, notification, isTrusted),
  });
  measure(given);
  return {
    name: 'invoices',
    reference: INVOICES_WORDS,
    routes: [
      ...invoiceRoutes(deps),
      ...invoiceTryRoutes(deps),
      ...invoiceRefundRoutes(deps),
      ...unmatchedMoneyRoutes(deps),
      invoiceCallbackRoute(deps),
    ],
    machines: [trying],
    inboxes: [hints],
    jobs: [closing],
    schedules: [expireInvoices(deps)],
    rails: [invoiceRail(deps)],
    events: INVOICE_EVENTS,
    payments: [
      { object: 'payment', rail: 'invoice', source: INVOICE_PAYMENTS },
      { object: 'invoice_payer', rail: 'invoice', source: INVOICE_PAYERS },
      { object: 'refund', rail: 'invoice', source: INVOICE_REFUNDS },
    ],
  };
}

function measure({ metrics, db }: Pick<Kernel, 'metrics' | 'db'>): void {
  metrics.gauge(
    'archipay_invoice_unmatched',
    'Payments that pay no invoice and wait for a person, by reason',
    ['reason'],
    async () =>
      (await countUnmatchedMoney(db)).map(({ reason, open }) => ({
        labels: { reason },
        value: open,
      })),
  );
}
