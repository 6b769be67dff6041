import { randomUUID } from 'node:crypto';
import { cardUser } from './cards.ts';
import type { Body, Harness, Person } from './harness.ts';

type Answer = Promise<[number, Body]>;

/** Acts on invoices, for tests. */
export function invoicesOf(h: Harness) {
  const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });
  return {
    create: (as: Person, body: object = {}): Answer =>
      h.call('POST /payment-gateway/invoices', {
        as,
        body: { amount: '20.00', currency: 'USD', description: 'Order 2041', ...body },
      }),
    async created(as: Person, body: object = {}): Promise<Body> {
      const [status, answer] = await this.create(as, body);
      if (status !== 201) throw new Error(JSON.stringify(answer));
      return answer.data;
    },
    read: (as: Person, invoice_id: string): Answer =>
      h.call('GET /payment-gateway/invoices/{invoice_id}', { as, params: { invoice_id } }),
    cancel: (as: Person, invoice_id: string): Answer =>
      h.call('POST /payment-gateway/invoices/{invoice_id}/cancel', { as, params: { invoice_id } }),
    pay: (as: Person, invoice_id: string, from_wallet_id: number, key?: string): Answer =>
      h.call('POST /payment-gateway/invoices/{invoice_id}/pay', {
        as,
        params: { invoice_id },
        body: { from_wallet_id },
        headers: keyed(key),
      }),
    refund: (as: Person, invoice_id: string, body: object = {}, key?: string): Answer =>
      h.call('POST /payment-gateway/invoices/{invoice_id}/refunds', {
        as,
        params: { invoice_id },
        body: { reason: 'Broken', ...body },
        headers: keyed(key),
      }),
    /** A person of the client with that much in their wallet, less the fee of a card. */
    async payer(client_id: number, amount: string) {
      const person = await h.user({ client_id });
      const cards = cardUser(h, person);
      await cards.topUp(amount);
      return { person, cards, wallet_id: await walletOf(h, person) };
    },
  };
}

/** A person's wallet in dollars. */
export async function walletOf(h: Harness, as: Person): Promise<number> {
  const body = { user_id: as.user_id, currency: 'USD' };
  const [, { data }] = await h.call('POST /wallets/fiat', { as, body });
  return data.wallet_id ?? data.wallet.wallet_id;
}
