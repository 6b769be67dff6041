// Long: anything is done in any order.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { PayoutEnd } from '#sandbox/providers/gateway/simulated-payouts.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { wrongInvoiceBooks } from '#test/invoice-books.ts';
import { invoicesOf } from '#test/invoices.ts';
import { ACCOUNT, bankRefunds, claimPageOf } from '#test/refunds.ts';
import { unlessRefused } from '#test/sandbox-controls.ts';
import { withdrawer } from '#test/withdrawals.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '100000000' } });
await h.drain();
const invoices = invoicesOf(h);
const gateway = gatewayOf(h);
const { client_id } = await h.client();
const merchant = await h.user({ client_id });
const admin = await h.user({ role: 'admin', client_id });
const operator = await h.operator();
const payer = await withdrawer(h, 'IDR', 100_000_000_000n, await h.user({ client_id }));
const recipient_id = await bankRefunds(h).recipient(merchant);
await h.call('PUT /fees', {
  as: admin,
  body: { rows: [{ rail: 'invoice', method: 'va', currency: 'IDR', flat: '4000', bps: 50 }] },
});

/** One of these names, whatever number was drawn. */
async function oneOf(text: string, n: number): Promise<string | undefined> {
  const rows = await run<{ id: string }>(h.db, text, []);
  return rows[n % Math.max(rows.length, 1)]?.id;
}
const invoiceOf = (n: number) => oneOf('select object_id as id from invoices order by serial', n);
const paymentOf = (n: number) =>
  oneOf(`select object_id as id from invoice_payments where method <> 'wallet' order by serial`, n);
const refundOf = (n: number) =>
  oneOf(`select object_id as id from invoice_refunds where way = 'bank' order by serial desc`, n);
const strayOf = (n: number) =>
  oneOf('select object_id as id from invoice_unmatched order by serial desc', n);

const links = new Map<string, string>();
/** Whatever is refused: nothing fails. */
async function noted(answer: Promise<[number, Body]>): Promise<void> {
  const [status, body] = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  const { refund_id, claim_url } = body.data ?? {};
  if (claim_url) links.set(refund_id, claim_url);
}

type Act = (n: number, m: number) => Promise<unknown>;
const withId =
  (
    find: (n: number) => Promise<string | undefined>,
    act: (id: string, m: number) => Promise<unknown>,
  ): Act =>
  async (n, m) => {
    const id = await find(n);
    return id === undefined ? undefined : act(id, m);
  };

const recipients = (m: number) => (m % 2 === 0 ? { recipient_id } : {});
const ACTS: Readonly<Record<string, Act>> = {
  invoice: (n, m) =>
    noted(
      invoices.create(merchant, {
        amount: String(20_000 + n * 1000),
        currency: 'IDR',
        allow_partial: m % 2 === 0,
        fee_bearer: m % 3 === 0 ? 'customer' : 'merchant',
        expires_in_s: 86_400,
      }),
    ),
  begin: withId(invoiceOf, (id, m) =>
    noted(invoices.begin(merchant, id, { method: m % 2 === 0 ? 'va' : 'qris' })),
  ),
  pay: withId(paymentOf, (id, m) =>
    unlessRefused(gateway.pay(id, m % 3 === 0 ? {} : { amount: 5000 + m * 2500 })),
  ),
  wallet: withId(invoiceOf, (id) => noted(invoices.pay(payer.as, id, payer.wallet_id))),
  cancel: withId(invoiceOf, (id) => noted(invoices.cancel(merchant, id))),
  refund: withId(invoiceOf, (id, m) =>
    noted(
      invoices.refund(merchant, id, {
        ...(m % 3 > 0 && { amount: String(10_000 + m * 1000) }),
        ...recipients(m),
      }),
    ),
  ),
  claim: withId(refundOf, async (id) => {
    const url = links.get(id);
    if (url) expect((await claimPageOf(url, ACCOUNT))[0]).toBeLessThan(500);
  }),
  bank: withId(refundOf, (id, m) => {
    const ends: PayoutEnd[] = ['complete', 'complete', 'fail', 'reverse'];
    return unlessRefused(gateway.end(id, ends[m % ends.length] ?? 'complete'));
  }),
  assign: withId(strayOf, async (id, m) => {
    const invoice_id = await invoiceOf(m);
    if (invoice_id) await noted(invoices.resolve(admin, id, 'assign', { invoice_id }));
  }),
  back: withId(strayOf, (id, m) => noted(invoices.resolve(admin, id, 'refund', recipients(m)))),
  settle: withId(strayOf, (id, m) => {
    const how = m % 2 === 0 ? 'write-off' : 'mark-refunded';
    return noted(invoices.resolve(operator, id, how, { note: 'By hand' }));
  }),
  time: (n) => h.advance(n % 5 === 0 ? 15 * 86_400 : 660),
};
const NAMES = ['invoice', 'begin', 'begin', 'pay', 'pay', 'pay', 'refund', 'refund', 'bank'];
const step = fc.tuple(
  fc.constantFrom(...NAMES, ...Object.keys(ACTS)),
  fc.integer({ min: 0, max: 39 }),
  fc.integer({ min: 0, max: 39 }),
);

test('whatever is paid, given back, refused and assigned, each rupiah has its place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      for (const [name, n, m] of steps) {
        await ACTS[name]?.(n, m);
        await h.drain();
      }
      await h.advance(3700);
      await h.drain();
      expect(await wrongInvoiceBooks(h, merchant)).toEqual({});
    }),
    { numRuns: 12 },
  );
  const reached = await run<{ kind: string }>(
    h.db,
    `select distinct 'refund ' || status as kind from invoice_refunds
     union select distinct 'stray ' || status from invoice_unmatched`,
    [],
  );
  expect(reached.length).toBeGreaterThan(4);
});
