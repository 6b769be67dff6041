import type { Db } from '#kernel/db/db.ts';
import { defineInbox } from '#kernel/effects/inbox.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { GatewayNotification } from '#providers/gateway/port.ts';
import type { GatewayTryDeps, InvoiceDeps, InvoiceInbox, TryingDeps } from '../deps.ts';
import {
  isGatewayMethod,
  openTries,
  paymentOfReference,
  requireInvoicePayment,
} from '../payment-store.ts';
import { findInvoice } from '../store.ts';
import { bookInvoiceMoney } from './book.ts';
import type { TryNews } from './machine.ts';
import { findGatewayMoney } from './money.ts';
import type { GatewayMoney } from './try.ts';

const KEPT_MS = 90 * 24 * 3_600_000;

/**
 * A caller reports that a payment was made, or lapsed. The service asks the gateway and books its answer, however
 * late and however often it comes. In mock mode the report itself has settled the payment by then.
 */
export const invoiceHints = (deps: GatewayTryDeps): InvoiceInbox =>
  defineInbox({
    source: 'invoice-payments',
    keptMs: KEPT_MS,
    again: true,
    async ask({ reference, status }) {
      const { offline } = deps.gateway;
      if (status === 'PAID' || status === 'EXPIRED')
        await offline?.simulatePayment(reference, status);
      return findGatewayMoney(deps, reference);
    },
    async handle(tx, { reference }, { answer }) {
      const money = answer?.kind === 'done' ? answer.value : undefined;
      if (money === undefined) return 'nothing-new';
      // The flow first, as everywhere: its row is locked before the invoice.
      const isNew = await signalTry(deps, tx, reference, money);
      const booked = await bookInvoiceMoney(deps, tx, reference, money.receipts);
      if (booked > 0) return 'booked';
      return isNew ? 'notified' : 'nothing-new';
    },
  });

/** Its end at the gateway; else that its invoice is not to be paid any more. */
async function signalTry(
  { sagas }: Pick<InvoiceDeps, 'sagas'>,
  tx: Db,
  reference: string,
  { payment }: GatewayMoney,
): Promise<boolean> {
  const status = payment?.status ?? 'PENDING';
  if (status !== 'PENDING') return signalNews(sagas, tx, reference, { status });
  const { invoice_id } = await requireInvoicePayment(tx, reference);
  const invoice = await findInvoice(tx, {}, invoice_id);
  const isOver = ['PAID', 'EXPIRED', 'CANCELLED'].includes(invoice?.status ?? '');
  return isOver && signalNews(sagas, tx, reference, { status: 'CANCELLED' });
}

export const signalNews = (
  sagas: InvoiceDeps['sagas'],
  tx: Db,
  reference: string,
  news: TryNews,
): Promise<boolean> => sagas.signal(tx, reference, 'news', news.status, { ...news });

/** Has a job ask the gateway about a payment. */
const requestHint = (
  { inboxes, hints }: Pick<TryingDeps, 'inboxes' | 'hints'>,
  tx: Db,
  id: string,
) => inboxes.receive(tx, hints, id, { event: 'look', reference: id, status: 'PENDING' });

/** Asks about payments of the gateway's statement that no call-back has reported. */
export const followUpTries = (
  deps: Pick<TryingDeps, 'db' | 'inboxes' | 'hints'>,
  references: readonly string[],
): Promise<void> =>
  transact(deps.db, async (tx) => {
    for (const reference of references) await requestHint(deps, tx, reference);
  });

/**
 * Ends what is tried for an invoice that is not to be paid any more. By a job: its flows are locked before their
 * invoice, not after it.
 */
export const closeTriesJob = (
  deps: Pick<InvoiceDeps, 'db' | 'inboxes'>,
  hints: () => InvoiceInbox,
): Job<{ readonly invoice_id: string }> =>
  defineJob({
    name: 'invoices.close-tries',
    async run({ invoice_id }) {
      const tries = await openTries(deps.db, invoice_id);
      await followUpTries({ ...deps, hints: hints() }, tries);
      return undefined;
    },
  });

const REFERENCE = /^ipm_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const isInvoiceReference = (reference: string): boolean => REFERENCE.test(reference);

/**
 * Stores a notification about a payment of ours. The gateway's own call-backs are handled at once; all others are left
 * to a job, which asks once for all of them. Anyone may call: what names no payment is not stored.
 */
export async function receiveInvoiceHint(
  deps: Pick<TryingDeps, 'db' | 'inboxes' | 'hints'>,
  notification: GatewayNotification,
  isTrusted: boolean,
): Promise<void> {
  const { db, inboxes, hints } = deps;
  const { reference } = notification;
  const payment = await paymentOfReference(db, reference);
  if (!payment || !isGatewayMethod(payment.method)) return;
  await transact(db, (tx) => inboxes.receive(tx, hints, reference, { ...notification }));
  if (isTrusted) await inboxes.handleNow(hints, reference);
}
