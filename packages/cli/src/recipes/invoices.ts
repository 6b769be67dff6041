import { randomUUID } from 'node:crypto';
import { two } from './banking.ts';
import type { Recipe } from './recipe.ts';
import type { Stage } from './stage.ts';

async function invoice(stage: Stage, more: object = {}) {
  const pair = await two(stage);
  const { data } = await pair.to.archipay.invoices.create({
    amount: '20.00',
    currency: 'USD',
    description: 'A trigger',
    wallet_id: pair.to_wallet_id,
    ...more,
  });
  return { ...pair, invoice_id: data.invoice_id };
}

const RUPIAH = { amount: '50000', currency: 'IDR', wallet_id: undefined };

/** Less than an invoice asks for is paid at the gateway. */
async function paidInPart(stage: Stage, more: object = {}): Promise<string> {
  const { to, invoice_id } = await invoice(stage, { ...RUPIAH, ...more });
  const { data } = await to.archipay.invoicePayments.create({ invoice_id, method: 'va' });
  const paid = { amount: 20_000 };
  await stage.sandbox.call('POST', `/gateway/payments/${data.payment_id}/pay`, paid);
  return invoice_id;
}

/** Money that was paid at the gateway for an invoice that takes no part. */
async function tooLittle(stage: Stage): Promise<string> {
  const invoice_id = await paidInPart(stage);
  return stage.until('money that pays no invoice', async () => {
    const found = await stage.admin.unmatchedPayments.list({ status: 'OPEN', limit: 100 });
    return found.data.items.find((one) => one.invoice_id === invoice_id)?.unmatched_id;
  });
}

export const INVOICES: readonly Recipe[] = [
  {
    types: ['invoice.created', 'invoice.cancelled'],
    how: 'A merchant makes an invoice, and cancels it.',
    async run(stage) {
      const { to, invoice_id } = await invoice(stage);
      await to.archipay.invoices.cancel({ invoice_id });
    },
  },
  {
    types: ['invoice.paid', 'invoice.refunded'],
    how: 'A person pays an invoice from a wallet; the merchant gives a part back.',
    async run(stage) {
      const { from, to, from_wallet_id, invoice_id } = await invoice(stage);
      await from.archipay.invoices.pay({ invoice_id, from_wallet_id });
      await to.archipay.invoiceRefunds.create({ invoice_id, amount: '5.00', reason: 'A trigger' });
    },
  },
  {
    types: ['invoice_payment.unmatched', 'invoice_payment.refunding'],
    how: 'Somebody pays too little at the gateway; an admin of the client gives it back.',
    async run(stage) {
      await stage.admin.unmatchedPayments.refund({ unmatched_id: await tooLittle(stage) });
    },
  },
  {
    types: ['invoice.partially_paid'],
    how: 'Somebody pays a part at the gateway of an invoice that may be paid in parts.',
    run: async (stage) => void (await paidInPart(stage, { allow_partial: true })),
  },
  {
    types: ['invoice_payment.assigned'],
    how: 'Somebody pays too little at the gateway; an admin of the client pays another invoice with it.',
    async run(stage) {
      const unmatched_id = await tooLittle(stage);
      const { invoice_id } = await invoice(stage, { ...RUPIAH, amount: '20000' });
      await stage.admin.unmatchedPayments.assign({ unmatched_id, invoice_id });
    },
  },
  {
    types: ['invoice_payment.refunded', 'invoice_payment.written_off'],
    how: 'Somebody pays too little at the gateway; the operator notes that it went back, or gives it up.',
    async run(stage) {
      const operator = await stage.operator();
      const [back, lost] = [await tooLittle(stage), await tooLittle(stage)];
      const note = 'A trigger';
      await operator.unmatchedPayments.markRefunded({ unmatched_id: back, note });
      await operator.unmatchedPayments.writeOff({ unmatched_id: lost, note });
    },
  },
  {
    types: ['payment.cancelled'],
    how: 'A payer begins to pay at the gateway, and takes another way.',
    async run(stage) {
      const { to, invoice_id } = await invoice(stage, RUPIAH);
      if (stage.isMock) await stage.sandbox.call('POST', '/gateway/holds', { payments: 1 });
      const { data } = await to.archipay.invoicePayments.create({ invoice_id, method: 'va' });
      await to.archipay.invoicePayments.cancel({ payment_id: data.payment_id });
    },
  },
  {
    types: ['payment_link.created', 'payment_link.changed'],
    how: 'A merchant makes a link, and pauses it.',
    async run(stage) {
      const { to } = await two(stage);
      const { data } = await to.archipay.paymentLinks.create({
        title: 'Lamp workshop',
        currency: 'USD',
        amount: '5.00',
        usage: 'many',
      });
      await to.archipay.paymentLinks.update({ link_id: data.link_id, status: 'PAUSED' });
    },
  },
  {
    types: ['payment_link.exhausted'],
    how: 'A payer presses the button of a link for one payment, and pays from a wallet.',
    async run(stage) {
      const { from, to, from_wallet_id } = await two(stage);
      const terms = { title: 'Lamp', currency: 'USD', amount: '5.00', usage: 'once' } as const;
      const { data } = await to.archipay.paymentLinks.create(terms);
      const press = new URLSearchParams({ press: randomUUID() });
      await fetch(data.url, { method: 'POST', body: press });
      const made = await to.archipay.invoices.list();
      const [invoice] = made.data.items;
      if (invoice) {
        const { invoice_id } = invoice;
        await from.archipay.invoices.pay({ invoice_id, from_wallet_id });
      }
    },
  },
  {
    types: ['payment_link.expired'],
    how: 'The time of a link passes.',
    movesClock: true,
    async run(stage) {
      const { to } = await two(stage);
      const { now } = await stage.sandbox.call<{ now: string }>('GET', '/clock');
      const expires_at = new Date(Date.parse(now) + 3_600_000).toISOString();
      const terms = { title: 'Lamp', currency: 'USD', amount: '5.00', usage: 'many' } as const;
      await to.archipay.paymentLinks.create({ ...terms, expires_at });
      await stage.clock(3700);
    },
  },
  {
    types: ['invoice.expired'],
    how: 'An invoice is not paid in time.',
    movesClock: true,
    async run(stage) {
      await invoice(stage, { expires_in_s: 3600 });
      await stage.clock(3700);
    },
  },
];
