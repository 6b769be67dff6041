import { expect, test } from 'vitest';
import { orphanHolds } from '#kernel/ledger/holds.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { HOLD_OWNERS } from '#src/app/hold-owners.ts';
import { ALSO_GOOD, cardUser, GOOD, houseBalance, spoil } from '#test/cards.ts';
import { checkoutCards } from '#test/checkout-cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';
import { claimPageOf } from '#test/refunds.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const cards = checkoutCards(h);
const { client_id } = await h.client();
const admin = await h.user({ role: 'admin', client_id });
const merchantOf = () => h.user({ client_id });
const row = { rail: 'invoice', method: 'card', currency: 'USD', flat: '0.30', bps: 200 };
await h.call('PUT /fees', { as: await h.operator(), body: { rows: [row] } });

const typed = (card_number: string) => ({ card_number, expiry_date: '11/39', cvv: '739' });
const reasonOf = ([status, { error }]: [number, Body]) => [status, error?.details?.reason];
async function inOrder() {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await orphanHolds(h.db, HOLD_OWNERS)).toEqual([]);
  expect(await cards.agrees()).toBe(true);
}
async function asked(as: Person, invoice_id: string, body: object = {}) {
  const [status, { data }] = await invoices.refund(as, invoice_id, body);
  expect([status, data.status, data.way]).toEqual([201, 'AWAITING_PAYER', 'card']);
  const list = async (): Promise<Body[]> => {
    const params = { invoice_id };
    const [, answer] = await h.call('GET /payment-gateway/invoices/{invoice_id}/refunds', {
      as,
      params,
    });
    return answer.data.items;
  };
  return {
    look: () => claimPageOf(data.claim_url),
    bring: (number: string) => claimPageOf(data.claim_url, typed(number)),
    read: async () => (await list()).find(({ refund_id }) => refund_id === data.refund_id) ?? {},
  };
}

test('a refund goes back to the card that its payer brings again, with the share of the fee', async () => {
  const merchant = await merchantOf();
  const { id, wallet, read, payment } = await cards.paid(merchant);
  const refund = await asked(merchant, id, { amount: '10.00' });
  expect(await wallet()).toEqual([19_30n, 10_00n]);
  expect((await refund.look())[1]).toContain('It goes to the card that you have paid with');
  const [wrong, said] = await refund.bring(ALSO_GOOD);
  expect([wrong, said.includes('not the card that has paid')]).toEqual([400, true]);
  expect((await refund.bring('4111111111111112'))[0]).toBe(400);
  expect(await refund.read()).toMatchObject({ status: 'AWAITING_PAYER' });
  const [status, text] = await refund.bring(GOOD);
  expect([status, text.includes('USD 10.00 was paid to your card')]).toEqual([200, true]);
  expect(await refund.read()).toMatchObject({ status: 'SUCCEEDED', way: 'card' });
  // Half of the amount, and half of the fee of 0.70.
  expect(await wallet()).toEqual([9_65n, 0n]);
  expect(await read()).toMatchObject({ refunded_amount: '10.00', refund_status: 'PARTIAL' });
  expect((await refund.bring(GOOD))[1]).toContain('was paid to your card');
  expect(await wallet()).toEqual([9_65n, 0n]);
  // A card gets money back once, over all ways.
  expect(reasonOf(await invoices.refund(merchant, id))).toEqual([409, 'CARD_REFUNDED_ONCE']);
  const [, { code }] = await cardUser(h, merchant).refund(payment.provider_reference, 5);
  expect(code).toBe('ORIGINAL_NOT_FOUND');
  await inOrder();
});

test('a charge-back ends the refund that waits, so that the money goes back once', async () => {
  const merchant = await merchantOf();
  const { id, wallet, reference } = await cards.paid(merchant);
  const refund = await asked(merchant, id, { amount: '19.00' });
  expect(await wallet()).toEqual([19_30n, 19_00n]);
  await cards.network(merchant, reference, 'CHARGEBACK');
  expect(await refund.read()).toMatchObject({
    status: 'FAILED',
    failure: { code: 'ALREADY_RETURNED' },
  });
  expect(await wallet()).toEqual([0n, 0n]);
  expect((await refund.bring(GOOD))[1]).toContain('the seller has the money again');
  await inOrder();
});

test('a charge-back after the refund is claimed from the network, not from the merchant', async () => {
  const merchant = await merchantOf();
  const { id, wallet, reference } = await cards.paid(merchant);
  await cardUser(h, merchant).topUp(100);
  const refund = await asked(merchant, id);
  await refund.bring(GOOD);
  const before = await wallet();
  await cards.network(merchant, reference, 'CHARGEBACK');
  expect(await wallet()).toEqual(before);
  await inOrder();
});

test('a refund that the network refuses is free again', async () => {
  const merchant = await merchantOf();
  const { id, wallet } = await cards.paid(merchant);
  const refund = await asked(merchant, id, { amount: '5.00' });
  await spoil(h, 'drop', 9);
  await refund.bring(GOOD);
  await cards.found();
  expect(await refund.read()).toMatchObject({ status: 'FAILED' });
  expect(await wallet()).toEqual([19_30n, 0n]);
  const again = await asked(merchant, id, { amount: '5.00' });
  await again.bring(GOOD);
  expect(await again.read()).toMatchObject({ status: 'SUCCEEDED' });
  await inOrder();
});

test('what a card has paid goes to no bank', async () => {
  const merchant = await merchantOf();
  const { id } = await cards.paid(merchant);
  const recipient_id = `rcp_${'0'.repeat(26)}`;
  expect(reasonOf(await invoices.refund(merchant, id, { recipient_id }))).toEqual([
    409,
    'PAID_BY_CARD',
  ]);
});

test('a card’s money that pays no invoice goes back to that card', async () => {
  const merchant = await merchantOf();
  const one = await cards.asked(merchant, { amount: '50000', currency: 'IDR' });
  const { payment_id } = await invoices.begun(merchant, one.id);
  await cards.loseAnswers();
  await one.page.card(GOOD);
  await gatewayOf(h).pay(payment_id);
  await cards.found();
  const before = await houseBalance(h, 'invoice-unmatched', 'IDR');
  const [{ unmatched_id } = {} as Body] = await invoices.unmatched(admin, one.id);
  const [status, { data }] = await invoices.resolve(admin, unmatched_id, 'refund', {});
  expect([status, data.status]).toEqual([200, 'REFUNDING']);
  const [taken, text] = await claimPageOf(data.claim_url, typed(GOOD));
  expect([taken, text.includes('IDR 50,000 was paid to your card')]).toEqual([200, true]);
  expect((await invoices.unmatched(admin, one.id))[0]).toMatchObject({ status: 'REFUNDED' });
  expect(before - (await houseBalance(h, 'invoice-unmatched', 'IDR'))).toBe(5_000_000n);
  expect(await one.wallet('IDR')).toEqual([5_000_000n, 0n]);
  await inOrder();
});
