import { randomUUID } from 'node:crypto';
import { run } from '#kernel/db/db.ts';
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
    /** Asks for rupiah. */
    rupiah(as: Person, body: object = {}): Promise<Body> {
      return this.created(as, { amount: '50000', currency: 'IDR', ...body });
    },
    begin: (as: Person, invoice_id: string, body: object = { method: 'va' }): Answer =>
      h.call('POST /payment-gateway/invoices/{invoice_id}/payments', {
        as,
        params: { invoice_id },
        body,
      }),
    /** A payment by the gateway that waits for its payer. */
    async begun(as: Person, invoice_id: string, method = 'va'): Promise<Body> {
      const [status, answer] = await this.begin(as, invoice_id, { method });
      if (status !== 201 || answer.data.action === null) throw new Error(JSON.stringify(answer));
      return answer.data;
    },
    payment: (as: Person, payment_id: string): Answer =>
      h.call('GET /payment-gateway/payments/{payment_id}', { as, params: { payment_id } }),
    callOff: (as: Person, payment_id: string): Answer =>
      h.call('POST /payment-gateway/payments/{payment_id}/cancel', { as, params: { payment_id } }),
    /** What was meant for an invoice and pays none, by the admin of the client. */
    async unmatched(admin: Person, invoice_id: string): Promise<Body[]> {
      const [, { data }] = await h.call('GET /payment-gateway/unmatched', { as: admin });
      return data.items.filter((one: Body) => one.invoice_id === invoice_id);
    },
    resolve: (
      as: Person,
      unmatched_id: string,
      how: 'assign' | 'refund' | 'mark-refunded' | 'write-off',
      body: object,
    ): Answer =>
      h.call(`POST /payment-gateway/unmatched/{unmatched_id}/${how}`, {
        as,
        params: { unmatched_id },
        body,
        headers: keyed(),
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

/** What a person's wallet has in rupiah, in units. */
export async function rupiahOf(h: Harness, { user_id }: Person): Promise<bigint> {
  const text = `select posted from ledger.accounts where owner = $1 and purpose = 'wallet' and asset = 'IDR'`;
  return (await run<{ posted: bigint }>(h.db, text, [`user:${user_id}`]))[0]?.posted ?? 0n;
}

/** A person's wallet in dollars. */
export async function walletOf(h: Harness, as: Person): Promise<number> {
  const body = { user_id: as.user_id, currency: 'USD' };
  const [, { data }] = await h.call('POST /wallets/fiat', { as, body });
  return data.wallet_id ?? data.wallet.wallet_id;
}

/** One grey pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** Keeps a picture for a person; answers its id. */
export async function keepPicture(
  h: Harness,
  { token }: Person,
  purpose = 'logo',
): Promise<string> {
  const query = new URLSearchParams({ purpose, name: 'logo.png' });
  const answer = await fetch(`${h.app.apiUrl()}/files?${query}`, {
    method: 'POST',
    body: new Uint8Array(PICTURE),
    headers: { 'x-api-key': h.key, authorization: `Bearer ${token}`, 'content-type': 'image/png' },
  });
  const { data } = (await answer.json()) as Body;
  return data.file_id;
}
