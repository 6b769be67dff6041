import type { Hash } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { emittedEvents, emittedTypes } from '#test/emitted-events.ts';
import { type Body, harness } from '#test/harness.ts';
import {
  booked,
  look,
  payerOn,
  paymentDesk,
  type Shopper,
  shopper,
  unitsOf,
} from '#test/marketplace.ts';
import { until } from '#test/until.ts';

/** What the operator does about payments that fit no order. */
const h = await harness({ config: { JWT_TTL: '1000000' } });
const { sepolia } = h.app.evm.chains;
const desk = await paymentDesk(h);
const untilSent = (payment_id: number) =>
  until(h, async () => (await desk.row(payment_id))?.refund === 'SENT');
let shop: Shopper;
let payer: Awaited<ReturnType<typeof payerOn>>;

beforeAll(async () => {
  shop = shopper(h, await h.user());
  payer = await payerOn(h, 'sepolia');
  // Nobody looks at a chain before somebody is to pay there.
  await shop.ordered(payer.address);
  await look(h);
});

const ordered = (over: object = {}) => shop.ordered(payer.address, over);
const statusOf = async (order: Body) => (await shop.read(order.order_id)).payment_status;

let strays = 0;
/** A payment that nobody can tell what it is for, of so many units. */
async function stray(units: bigint): Promise<{ hash: Hash; payment_id: number }> {
  strays += 1;
  const hash = await payer.pay(`MKT-1700000000000-${String(strays).padStart(8, 'a')}`, units);
  await look(h);
  return { hash, payment_id: (await desk.find(hash)).payment_id };
}

/** An order that nobody has paid in time, and what was paid for it after that. */
async function late() {
  const order = await ordered();
  await h.advance(3700);
  await look(h);
  await h.advance(60);
  await h.drain();
  expect(await statusOf(order)).toBe('CANCELLED');
  const hash = await payer.pay(order.order_id, unitsOf(order));
  await look(h);
  return { order, hash, ...(await desk.find(hash)) } as Body;
}

describe('a payment is assigned', () => {
  test('to its expired order, once, for concurrent requests', async () => {
    const { order, hash, payment_id } = await late();
    const [owed, refunds] = [await booked(h, 'owed'), await booked(h, 'refunds')];
    const { order_id } = order;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => desk.assign(payment_id, order_id)),
    );
    for (const answer of answers)
      expect(answer).toMatchObject([
        200,
        { payment: { assigned_order_id: order_id, owed: '0.000000', refund: 'NONE' } },
      ]);
    expect(await shop.read(order_id)).toMatchObject({
      payment_status: 'PAID',
      blockchain_tx_hash: hash,
      paid_at: expect.stringMatching(/^20/),
    });
    expect(await booked(h, 'owed')).toBe(owed + unitsOf(order));
    expect(await booked(h, 'refunds')).toBe(refunds - unitsOf(order));
    expect(await emittedTypes(h, 'marketplace_payment', payment_id)).toEqual([
      'marketplace_payment.unmatched',
      'marketplace_payment.assigned',
    ]);
    expect(await emittedTypes(h, 'marketplace_order', order_id)).toEqual([
      'marketplace_order.created',
      'marketplace_order.cancelled',
      'marketplace_order.paid',
    ]);
    expect(await desk.audited('MARKETPLACE_PAYMENT_ASSIGNED', payment_id)).toEqual([
      { payment_id, order_id, tx_hash: hash },
    ]);
    expect((await desk.owed()).map((one) => one.payment_id)).not.toContain(payment_id);
    expect(await desk.refund(payment_id)).toMatchObject([400, { code: 'INVALID_STATUS' }]);
    await h.advance(7200);
    await look(h);
    expect(await statusOf(order)).toBe('PAID');
  });

  test('that named no order, and what it is too much goes back', async () => {
    const order = await ordered();
    const { payment_id } = await stray(unitsOf(order) + 9n);
    const [, { payment }] = await desk.assign(payment_id, order.order_id);
    expect(payment).toMatchObject({ reason: 'OVERPAID', owed: '0.000009', refund: 'OWED' });
    expect(await statusOf(order)).toBe('PAID');
    expect((await desk.refund(payment_id))[0]).toBe(200);
    await untilSent(payment_id);
    expect(await desk.row(payment_id)).toMatchObject({ refund: 'SENT', sent_units: 9n });
  });

  test('to one of two orders, however many ask at once', async () => {
    const orders = [await ordered(), await ordered()];
    const { payment_id } = await stray(unitsOf(orders[0]));
    const answers = await Promise.all(
      [...orders, ...orders].map(({ order_id }) => desk.assign(payment_id, order_id)),
    );
    const states = await Promise.all(orders.map(statusOf));
    expect(states.sort()).toEqual(['PAID', 'PENDING']);
    expect(answers.filter(([status]) => status === 200).length).toBeGreaterThan(0);
    for (const [status, { code }] of answers)
      if (status !== 200) expect([status, code]).toEqual([400, 'INVALID_STATUS']);
  });

  test('and is owed again where the goods cannot be had, and may then pay another order', async () => {
    const [missed, other] = [await ordered(), await ordered()];
    const { payment_id } = await stray(unitsOf(missed));
    await desk.assign(payment_id, missed.order_id);
    await desk.end(missed.order_id, { status: 'FAILED', reason: 'out of stock' });
    expect(await desk.row(payment_id)).toMatchObject({ reason: 'NOT_DELIVERED', refund: 'OWED' });
    expect(await desk.assign(payment_id, missed.order_id)).toMatchObject([
      400,
      { code: 'INVALID_STATUS' },
    ]);
    expect((await desk.assign(payment_id, other.order_id))[0]).toBe(200);
    expect(await statusOf(other)).toBe('PAID');
    const end = { status: 'COMPLETED', vendor_reference: 'E-9' };
    expect((await desk.end(other.order_id, end))[0]).toBe(200);
  });
});

describe('a payment is not assigned', () => {
  test('where it is less than the order costs', async () => {
    const order = await ordered();
    const { payment_id } = await stray(unitsOf(order) - 1n);
    expect(await desk.assign(payment_id, order.order_id)).toMatchObject([
      400,
      { code: 'INVALID_AMOUNT' },
    ]);
    expect(await statusOf(order)).toBe('PENDING');
  });

  test('to an order of another chain, or that asks for another token', async () => {
    const elsewhere = await ordered({ chain_id: 'amoy' });
    const { payment_id } = await stray(unitsOf(elsewhere));
    expect(await desk.assign(payment_id, elsewhere.order_id)).toMatchObject([
      409,
      { code: 'CONFLICT' },
    ]);
    const order = await ordered();
    await h.sandbox('POST', '/faucet', {
      chain: 'sepolia',
      address: payer.address,
      asset: 'IDRT',
      amount: '10000000',
    });
    const hash = await payer.transfer(unitsOf(order) + 3n, sepolia.contracts.idr_token);
    await look(h);
    const rupiah = await desk.find(hash);
    expect(await desk.assign(rupiah.payment_id, order.order_id)).toMatchObject([
      409,
      { code: 'CONFLICT' },
    ]);
  });

  test('to an order that is paid already, or is being paid', async () => {
    const order = await ordered();
    const { payment_id } = await stray(unitsOf(order));
    await h.db
      .updateTable('marketplace_orders')
      .set({ is_paying: true })
      .where('order_id', '=', order.order_id)
      .execute();
    expect(await desk.assign(payment_id, order.order_id)).toMatchObject([
      409,
      { code: 'CONFLICT' },
    ]);
    await payer.pay(order.order_id, unitsOf(order));
    await look(h);
    expect(await desk.assign(payment_id, order.order_id)).toMatchObject([
      400,
      { code: 'INVALID_STATUS', details: { payment_status: 'PAID' } },
    ]);
  });

  test('where it is sent back, or on its way, or pays an order', async () => {
    const [order, paid] = [await ordered(), await ordered()];
    const { payment_id } = await stray(unitsOf(order));
    await desk.refund(payment_id);
    expect(await desk.assign(payment_id, order.order_id)).toMatchObject([
      400,
      { code: 'INVALID_STATUS' },
    ]);
    const hash = await payer.pay(paid.order_id, unitsOf(paid) + 5n);
    await look(h);
    const rest = await desk.find(hash);
    expect(rest.reason).toBe('OVERPAID');
    expect(await desk.assign(rest.payment_id, order.order_id)).toMatchObject([
      400,
      { code: 'INVALID_STATUS' },
    ]);
  });

  test('by a wallet’s user or a client’s admin, nor where there is none of the two', async () => {
    const order = await ordered();
    const { payment_id } = await stray(unitsOf(order));
    const admin = await h.user({ role: 'admin' });
    for (const action of ['assign', 'mark-refunded', 'write-off'] as const)
      expect(
        await h.call(`POST /marketplace/payments/{payment_id}/${action}`, {
          as: admin,
          params: { payment_id },
          body: { order_id: order.order_id, note: 'mine' },
        }),
      ).toMatchObject([403, { code: 'FORBIDDEN' }]);
    expect((await desk.assign(2_000_000, order.order_id))[0]).toBe(404);
    expect((await desk.assign(payment_id, 'MKT-1700000000000-bbbbbbbb'))[0]).toBe(404);
    expect((await desk.markRefunded(2_000_000, 'x'))[0]).toBe(404);
    expect((await desk.writeOff(payment_id, 'x'))[0]).toBe(400);
  });
});

describe('what was given back by other means', () => {
  test('is marked once, with how; nothing leaves the treasury, and nothing is owed', async () => {
    const { payment_id } = await stray(11n);
    const before = await Promise.all(
      ['treasury', 'refunds', 'elsewhere'].map((purpose) => booked(h, purpose)),
    );
    const [treasury = 0n, refunds = 0n, elsewhere = 0n] = before;
    const said = 'Bank transfer 4711 of 22 November';
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => desk.markRefunded(payment_id, said)),
    );
    for (const answer of answers)
      expect(answer).toMatchObject([
        200,
        { payment: { refund: 'SENT', owed: '0.000000', settled_note: said, refund_tx_hash: null } },
      ]);
    expect(await booked(h, 'treasury')).toBe(treasury);
    expect(await booked(h, 'refunds')).toBe(refunds - 11n);
    expect(await booked(h, 'elsewhere')).toBe(elsewhere + 11n);
    expect(await desk.refund(payment_id)).toMatchObject([200, { payment: { refund: 'SENT' } }]);
    await h.drain();
    expect(await booked(h, 'treasury')).toBe(treasury);
    const told = await emittedEvents(h, 'marketplace_payment', payment_id);
    expect(told.map(({ type }) => type)).toEqual([
      'marketplace_payment.unmatched',
      'marketplace_payment.refunded',
    ]);
    expect(told.at(-1)?.data).toMatchObject({ settled_note: said });
    expect(await desk.audited('MARKETPLACE_REFUND_MARKED', payment_id)).toEqual([
      { payment_id, note: said },
    ]);
  });

  test('cannot be what is being sent back, and either the one or the other happens', async () => {
    const { payment_id } = await stray(13n);
    await Promise.all([desk.refund(payment_id), desk.markRefunded(payment_id, 'by hand')]);
    await untilSent(payment_id);
    const row = await desk.row(payment_id);
    expect(row).toMatchObject({ refund: 'SENT', sent_units: 13n });
    expect((row?.refund_tx_hash === null) !== (row?.settled_note === null)).toBe(true);
  });
});
