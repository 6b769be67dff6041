import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { INVOICE_CARD_HOLDS } from './card/holds-store.ts';
import { invoiceCardMachine } from './card/machine.ts';
import { invoiceCardOwner } from './card/returned.ts';
import { checkoutLiveRoutes } from './checkout/live-routes.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import { openInvoicesOf } from './closing-store.ts';
import type { InvoiceInbox, InvoicesGiven } from './deps.ts';
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
import { expireLinks } from './links/follow.ts';
import { linkPageRoutes } from './links/pay-routes.ts';
import { paymentLinkRoutes } from './links/routes.ts';
import { LINK_EVENTS } from './links/shown.ts';
import { INVOICES_PERSON_DATA } from './person-data.ts';
import { INVOICES_WORDS } from './reference.ts';
import { cardRefundOwner, invoiceCardRefundMachine } from './refunds/card-flow.ts';
import { claimRoutes } from './refunds/claim-routes.ts';
import type { RefundDeps } from './refunds/deps.ts';
import { refundsToBanks } from './refunds/flow.ts';
import { INVOICE_REFUND_HOLDS } from './refunds/holds-store.ts';
import { invoiceRefundRoutes } from './refunds/refund-routes.ts';
import { strayRefundRoute } from './refunds/stray-routes.ts';
import { expireClaims } from './refunds/upkeep.ts';
import { invoiceRoutes } from './routes.ts';
import { gatewaySettingsUpdated } from './settings/presenters.ts';
import { gatewaySettingsRoutes } from './settings/routes.ts';
import { filesOfSettings } from './settings/store.ts';
import { unmatchedMoneyRoutes } from './unmatched/routes.ts';
import { countUnmatchedMoney } from './unmatched/store.ts';
import { expireInvoices } from './upkeep.ts';

export { INVOICE_CARD_HOLDS } from './card/holds-store.ts';
export { INVOICE_REFUND_HOLDS } from './refunds/holds-store.ts';
export { SEALED_REFUND_PAYEES } from './refunds/payee.ts';
export { SEALED_RETURN_SECRETS } from './settings/store.ts';
export { countUnmatchedMoney } from './unmatched/store.ts';

type Given = Omit<RefundDeps, 'refunding' | 'refundingCards'> & InvoicesGiven;

/** Money that merchants ask for, what is paid of it, and what is given back. */
export function createInvoices(given: Given): Feature {
  const closing = closeTriesJob(given, (): InvoiceInbox => hints);
  const hints = invoiceHints({ ...given, closing });
  const trying = invoiceTryMachine({ ...given, closing });
  const paying = invoiceCardMachine({ ...given, closing });
  const deps = { ...given, closing, hints, trying, paying };
  given.payouts.incoming.join({
    owns: isInvoiceReference,
    receive: (notification, isTrusted) => receiveInvoiceHint(deps, notification, isTrusted),
  });
  const { payer, machine: refunding } = refundsToBanks(given);
  const refundingCards = invoiceCardRefundMachine(given);
  const refundDeps = { ...given, refunding, refundingCards };
  given.cards.owners.join(invoiceCardOwner(given));
  given.cards.owners.join(cardRefundOwner(given));
  measure(given);
  return {
    name: 'invoices',
    personData: INVOICES_PERSON_DATA,
    closing: [openInvoicesOf],
    reference: INVOICES_WORDS,
    routes: [
      ...invoiceRoutes(deps),
      ...invoiceTryRoutes(deps),
      ...invoiceRefundRoutes(refundDeps),
      ...claimRoutes(refundDeps),
      ...unmatchedMoneyRoutes(deps),
      strayRefundRoute(refundDeps),
      ...gatewaySettingsRoutes(deps),
      ...checkoutRoutes(deps),
      ...checkoutLiveRoutes(deps),
      ...paymentLinkRoutes(deps),
      ...linkPageRoutes(deps),
      invoiceCallbackRoute(deps),
    ],
    machines: [trying, paying, refunding, refundingCards],
    inboxes: [hints],
    jobs: [closing],
    schedules: [expireInvoices(deps), expireClaims(given), expireLinks(deps)],
    rails: [invoiceRail(deps), given.payouts.rail(payer)],
    holds: [INVOICE_REFUND_HOLDS, INVOICE_CARD_HOLDS],
    events: [...INVOICE_EVENTS, ...LINK_EVENTS, gatewaySettingsUpdated],
    fileUses: [{ by: 'settings of the payment gateway', find: filesOfSettings }],
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
