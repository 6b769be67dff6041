import { expect, test } from 'vitest';
import { orphanHolds } from '#kernel/ledger/holds.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { HOLD_OWNERS } from '#src/app/hold-owners.ts';
import { ALSO_GOOD, cardUser, DECLINED, GOOD, houseBalance, POOR } from '#test/cards.ts';
import { checkoutCards } from '#test/checkout-cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const cards = checkoutCards(h);
const gateway = gatewayOf(h);
const { client_id } = await h.client();
const admin = await h.user({ role: 'admin', client_id });
const merchantOf = () => h.user({ client_id });
const row = { rail: 'invoice', method: 'card', currency: 'USD', flat: '0.30', bps: 200 };
await h.call('PUT /fees', { as: await h.operator(), body: { rows: [row] } });

async function inOrder() {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await orphanHolds(h.db, HOLD_OWNERS)).toEqual([]);
  expect(await cards.agrees()).toBe(true);
}
const toldOf = async (type: string): Promise<Body[]> => {
  await h.kernel.events.settle();
  const [, { data }] = await h.call('GET /events', { as: admin, query: { type } });
  return data.events;
};

test('a card pays all that is owed, at once, less the fee', async () => {
  const { page, read, wallet, id } = await cards.asked(await merchantOf());
  expect(await page.text()).toContain('Card number');
  const fees = await houseBalance(h, 'invoice-fees', 'USD');
  const pressed = await page.card('4111 1111 1111 1111');
  expect(pressed.status).toBe(303);
  expect(await page.text()).toContain('Payment received');
  expect(await read()).toMatchObject({
    status: 'PAID',
    payments: [{ method: 'card', status: 'SUCCEEDED', amount: '20.00', fee: '0.70', net: '19.30' }],
  });
  expect(await wallet()).toEqual([19_30n, 0n]);
  expect((await houseBalance(h, 'invoice-fees', 'USD')) - fees).toBe(70n);
  // A second press takes nothing.
  expect((await page.card(GOOD)).status).toBe(303);
  expect((await read()).payments).toHaveLength(1);
  expect((await toldOf('invoice.paid')).some(({ data }) => data.invoice_id === id)).toBe(true);
  await inOrder();
});

test('a declined card takes nothing, and the invoice can be paid with another one', async () => {
  const { page, read } = await cards.asked(await merchantOf());
  const refused = await page.card(DECLINED);
  const text = await refused.text();
  expect([refused.status, text.includes('Your card was declined')]).toEqual([400, true]);
  expect(text).not.toContain(DECLINED.slice(0, 12));
  expect(await read()).toMatchObject({
    status: 'OPEN',
    payments: [{ status: 'FAILED', failure: { code: 'CARD_DECLINED' } }],
  });
  expect((await page.card(ALSO_GOOD)).status).toBe(303);
  expect((await read()).status).toBe('PAID');
  await inOrder();
});

test('what is no card is said at its field, and makes nothing', async () => {
  const { page, read } = await cards.asked(await merchantOf());
  for (const [number, fields, said] of [
    ['4111111111111112', {}, 'id="card_number"'],
    ['', {}, 'id="card_number"'],
    [GOOD, { expiry_date: '13/39' }, 'id="expiry_date"'],
    [GOOD, { cvv: '12' }, 'id="cvv"'],
  ] as const) {
    const reply = await page.card(number, fields);
    const text = await reply.text();
    expect(reply.status).toBe(400);
    expect(text.slice(text.indexOf(said)).split('>')[0]).toContain('aria-invalid="true"');
    if (number !== '') expect(text).not.toContain(number);
  }
  expect((await read()).payments).toEqual([]);
});

test('a charge-back takes the money from the merchant, who owes the rest; won, it comes back', async () => {
  const merchant = await merchantOf();
  const { read, wallet, reference, id, payment } = await cards.paid(merchant);
  await cardUser(h, merchant).push(10);
  const owed = await houseBalance(h, 'invoice-owed', 'USD');
  const cardOwed = await houseBalance(h, 'card-owed', 'USD');
  await cards.network(merchant, reference, 'CHARGEBACK');
  expect(await read()).toMatchObject({ status: 'PAID', payments: [{ status: 'DISPUTED' }] });
  expect(await wallet()).toEqual([0n, 0n]);
  expect((await houseBalance(h, 'invoice-owed', 'USD')) - owed).toBe(-10_70n);
  expect(await houseBalance(h, 'card-owed', 'USD')).toBe(cardOwed);
  const told = (await toldOf('payment.disputed')).map(({ data }) => data.payment_id);
  expect(told).toContain(payment.payment_id);
  const [status, { error }] = await invoices.refund(merchant, id);
  expect([status, error.details.reason]).toEqual([409, 'DISPUTED']);
  await inOrder();
  await cards.network(merchant, reference, 'DISPUTE_WON');
  expect((await read()).payments).toMatchObject([{ status: 'SUCCEEDED' }]);
  await h.advance(3700);
  await h.drain();
  expect(await houseBalance(h, 'invoice-owed', 'USD')).toBe(owed);
  expect(await wallet()).toEqual([9_30n, 0n]);
  await inOrder();
});

test('an answer that is lost leaves the payment open, and the look-up books it', async () => {
  const { page, read, wallet } = await cards.asked(await merchantOf());
  await cards.loseAnswers();
  expect((await page.card(GOOD)).status).toBe(303);
  expect(await page.text()).toContain('Your payment is being checked');
  expect((await page.state()).status).toBe('CHECKING');
  // It is on its way: no second one begins.
  expect((await page.card(ALSO_GOOD)).status).toBe(303);
  await cards.found();
  expect(await read()).toMatchObject({ status: 'PAID', payments: [{ status: 'SUCCEEDED' }] });
  expect(await wallet()).toEqual([19_30n, 0n]);
  await inOrder();
});

/** An invoice in rupiah that the gateway pays while the card is on its way. */
async function paidTwice() {
  const merchant = await merchantOf();
  const asked = await cards.asked(merchant, { amount: '50000', currency: 'IDR' });
  const { payment_id } = await invoices.begun(merchant, asked.id);
  await cards.loseAnswers();
  await asked.page.card(GOOD);
  await gateway.pay(payment_id);
  await cards.found();
  const [stray] = await invoices.unmatched(admin, asked.id);
  return { ...asked, merchant, stray: stray ?? {} };
}
const invoiceUnmatched = () => houseBalance(h, 'invoice-unmatched', 'IDR');

test('a card that pays what the gateway has paid meanwhile is owed to its payer', async () => {
  const before = await invoiceUnmatched();
  const { read, stray, wallet, merchant } = await paidTwice();
  expect((await read()).status).toBe('PAID');
  expect(stray).toMatchObject({ reason: 'DUPLICATE', status: 'OPEN', amount: '50000.00' });
  expect((await invoiceUnmatched()) - before).toBe(5_000_000n);
  expect(await wallet('IDR')).toEqual([5_000_000n, 0n]);
  // Charged back, it comes from there and not from the merchant.
  const failed = (await read()).payments.find(({ method }: Body) => method === 'card');
  await cards.network(merchant, failed.provider_reference, 'CHARGEBACK');
  expect(await invoiceUnmatched()).toBe(before);
  expect(await wallet('IDR')).toEqual([5_000_000n, 0n]);
  expect((await invoices.unmatched(admin, stray['invoice_id']))[0]).toMatchObject({
    status: 'REFUNDED',
    owed: '0.00',
  });
  await inOrder();
});

test('cards are not tried out on a page, nor one card on many pages', async () => {
  const merchant = await merchantOf();
  const { page } = await cards.asked(merchant);
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await page.card(POOR)).status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  expect((await page.card(GOOD)).status).toBe(429);
  const other = await cards.asked(merchant);
  expect((await other.page.card(POOR)).status).toBe(429);
  expect((await other.page.card(GOOD)).status).toBe(303);
  expect((await cardUser(h, merchant).topUp(5))[0]).toBe(200);
});

test('in mock mode a card pays, too', async () => {
  const mock = await harness({ mock: true });
  const { payment } = await checkoutCards(mock).paid(await mock.user());
  expect(payment).toMatchObject({ method: 'card', status: 'SUCCEEDED', amount: '20.00' });
});
