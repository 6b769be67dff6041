import { gatewayOf } from './gateway-controls.ts';
import type { Body, CallOptions, Harness, Person } from './harness.ts';
import { invoicesOf, rupiahOf } from './invoices.ts';
import { addBankRecipient } from './withdrawals.ts';

/** Money of invoices that goes back to banks, for tests. */
export function bankRefunds(h: Harness) {
  const invoices = invoicesOf(h);
  return {
    /** An invoice of that many rupiah that was paid by the gateway. */
    async paid(merchant: Person, body: object = {}): Promise<Body> {
      const { invoice_id } = await invoices.rupiah(merchant, body);
      const { payment_id } = await invoices.begun(merchant, invoice_id);
      await h.sandbox('POST', `/gateway/payments/${payment_id}/pay`);
      const [, { data }] = await invoices.read(merchant, invoice_id);
      if (data.status !== 'PAID') throw new Error(JSON.stringify(data));
      return data;
    },
    async recipient(as: Person): Promise<string> {
      return (await addBankRecipient(h, as, 'IDR')).recipient_id;
    },
    async one(as: Person, invoice_id: string, refund_id: string): Promise<Body> {
      const [, { data }] = await h.call('GET /payment-gateway/invoices/{invoice_id}/refunds', {
        as,
        params: { invoice_id },
      });
      return data.items.find((one: Body) => one.refund_id === refund_id) ?? {};
    },
    /** What of the merchant's rupiah there is, and what of it is set aside. */
    async wallet(as: Person): Promise<{ balance: bigint; held: string }> {
      const params = { user_id: as.user_id };
      const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as, params });
      const { held } = data.wallets.find(({ currency }: Body) => currency === 'IDR') ?? {};
      return { balance: await rupiahOf(h, as), held };
    },
  };
}

export const ACCOUNT = {
  bank_code: 'BCA',
  account_number: '8800123456',
  account_name: 'Budi Santoso',
};

/** The page of a link, looked at or with its form sent as a browser without script does. */
export async function claimPageOf(
  url: string,
  form?: object,
  language = 'en',
): Promise<[number, string]> {
  const reply = await fetch(url, {
    headers: { 'accept-language': language },
    ...(form && { method: 'POST', body: new URLSearchParams(Object.entries(form)) }),
  });
  return [reply.status, await reply.text()];
}

type Asked = () => Promise<{ readonly options: CallOptions; readonly traces: string }>;

/** A valid request to each endpoint that answers the link of a claim. */
export const askedByRefunds = (h: Harness): Readonly<Record<string, Asked>> => ({
  async 'POST /payment-gateway/invoices/{invoice_id}/refunds'() {
    const as = await h.user();
    const { invoice_id } = await bankRefunds(h).paid(as);
    const body = { reason: 'Sold out' };
    return { options: { as, params: { invoice_id }, body }, traces: 'invoice_refunds' };
  },
  async 'POST /payment-gateway/unmatched/{unmatched_id}/refund'() {
    const { client_id } = await h.client();
    const as = await h.user({ role: 'admin', client_id });
    const unmatched_id = await strayMoney(h, await h.user({ client_id }), as);
    return { options: { as, params: { unmatched_id }, body: {} }, traces: 'invoice_refunds' };
  },
});

/** The id of 20,000 rupiah that were meant for an invoice of 50,000 and do not pay it. */
export async function strayMoney(h: Harness, merchant: Person, admin: Person): Promise<string> {
  const invoices = invoicesOf(h);
  const { invoice_id } = await invoices.rupiah(merchant);
  const { payment_id } = await invoices.begun(merchant, invoice_id);
  await gatewayOf(h).pay(payment_id, { amount: 20_000 });
  await h.drain();
  const [found] = await invoices.unmatched(admin, invoice_id);
  return found?.['unmatched_id'];
}
