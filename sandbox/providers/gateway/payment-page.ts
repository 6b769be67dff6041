import type { FastifyInstance, FastifyReply } from 'fastify';
import { scope } from '#kernel/http/declare/scope.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { qrImage } from '#kernel/http/pages/qr-image.ts';
import { showPage, takeForms } from '#sandbox/hosted-page.ts';
import { qrisText } from './qris.ts';
import { type GatewayWorld, SIMULATED_GATEWAY_PREFIX } from './simulated-account.ts';
import {
  callBackOfInvoice,
  channelOf,
  expireInvoice,
  invoiceById,
  payInvoice,
  type SimulatedInvoice,
  virtualAccountOf,
} from './simulated-invoices.ts';

interface ById {
  Params: { id: string };
  Body: { action?: string } | null;
}

/** The page behind `invoice_url`: a person looks at what is to be paid, and pays or lets it lapse. */
export function paymentPages(server: FastifyInstance, world: GatewayWorld): void {
  scope(server, 'payment pages', (pages) => {
    takeForms(pages);
    const path = `${SIMULATED_GATEWAY_PREFIX}/web/invoices/:id`;

    pages.get<ById>(path, async ({ params }, reply) => {
      const found = await invoiceById(world, params.id);
      if (found === undefined) return show(reply, 404, UNKNOWN);
      return show(reply, 200, content(found.invoice));
    });

    pages.post<ById>(path, async ({ params, body, url }, reply) => {
      const found = await invoiceById(world, params.id);
      if (found === undefined) return show(reply, 404, UNKNOWN);
      const act = ACTS.get(body?.action ?? '');
      if (act === undefined) return show(reply, 400, content(found.invoice));
      const changed = await act(world, found.key);
      if (changed) await callBackOfInvoice(world, changed);
      // So that the page can be loaded again without asking for anything again.
      return reply.redirect(url, 303);
    });
  });
}

const ACTS = new Map([
  ['pay', (world: GatewayWorld, reference: string) => payInvoice(world, reference)],
  ['expire', expireInvoice],
]);

const show = (reply: FastifyReply, status: number, html: string) =>
  showPage(reply, status, 'Payment', html);

const UNKNOWN = `
  <h1>There is no such payment</h1>
  <p>Please ask for a new link.</p>`;

function content(invoice: SimulatedInvoice): string {
  if (invoice.status === 'PAID') return ended(invoice, 'Payment received');
  if (invoice.status === 'EXPIRED') return ended(invoice, 'This payment has expired');
  return `
  <h1>Pay ${rupiah(invoice.amount)}</h1>
  ${instructions(invoice)}
  ${facts(invoice)}
  <form method="post">
    <p class="soft">This is the sandbox: nothing is scanned or sent, and you decide.</p>
    <button name="action" value="pay">Pay</button>
    <button name="action" value="expire" class="second">Let it expire</button>
  </form>`;
}

function ended(invoice: SimulatedInvoice, heading: string): string {
  const said =
    invoice.status === 'PAID'
      ? `${rupiah(invoice.paid_amount ?? invoice.amount)} was paid. You may close this window.`
      : 'Nothing was taken, and it can no longer be paid. Please ask for a new one.';
  return `
  <h1>${heading}</h1>
  <p role="status">${said}</p>
  ${facts(invoice)}`;
}

function instructions(invoice: SimulatedInvoice): string {
  const channel = channelOf(invoice);
  if (channel === 'QRIS') {
    const source = qrImage(qrisText(invoice.id, invoice.amount));
    return `
  <p>Scan this code with any app that pays by QRIS.</p>
  <img class="code" src="${source}" width="264" height="264" alt="QRIS code of this payment">`;
  }
  if (WALLETS.includes(channel))
    return `
  <p>Confirm the payment in one of these apps: ${invoice.payment_methods.map(escapeHtml).join(', ')}.</p>`;
  return `
  <p>Transfer exactly this amount to the virtual account at ${escapeHtml(channel)}:</p>
  <p class="big"><code>${virtualAccountOf(invoice, channel)}</code></p>`;
}

const WALLETS = ['OVO', 'DANA', 'SHOPEEPAY', 'LINKAJA'];
const METHODS: Readonly<Record<string, string>> = { QRIS: 'QRIS', BCA: 'Virtual account' };

const facts = (invoice: SimulatedInvoice): string => `
  <dl>
    <dt>Amount</dt><dd>${rupiah(invoice.amount)}</dd>
    <dt>Method</dt><dd>${METHODS[channelOf(invoice)] ?? 'E-wallet'}</dd>
    <dt>For</dt><dd>${escapeHtml(invoice.description) || '–'}</dd>
    <dt>Reference</dt><dd>${escapeHtml(invoice.external_id)}</dd>
    <dt>Expires</dt><dd>${moment(invoice.expiry_date)}</dd>
  </dl>`;

const rupiah = (amount: number): string => `IDR&nbsp;${amount.toLocaleString('en-US')}`;
const moment = (at: string): string =>
  `<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;
