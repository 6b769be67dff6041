// Long: a chain takes blocks back.

import { beforeAll, expect, test } from 'vitest';
import { emittedEvents, emittedTypes } from '#test/emitted-events.ts';
import { type Body, harness } from '#test/harness.ts';
import {
  booked,
  look,
  payerOn,
  paymentDesk,
  type Shopper,
  shopper,
  signedPayment,
  unitsOf,
} from '#test/marketplace.ts';
import { node } from '#test/strangers.ts';

/** Reorganisations deeper than the confirmations: what was acted on is not there any more. */
const h = await harness({ config: { JWT_TTL: '1000000' } });
const { sepolia } = h.app.evm.chains;
const desk = await paymentDesk(h);
let shop: Shopper;
let payer: Awaited<ReturnType<typeof payerOn>>;

beforeAll(async () => {
  shop = shopper(h, await h.user());
  payer = await payerOn(h, 'sepolia');
  // So that something is followed before the first checkpoint.
  await shop.ordered(payer.address);
  await look(h);
});

const lossesNow = () => booked(h, 'losses');
const metric = async () => {
  const text = await (await fetch(new URL('/metrics', h.app.apiUrl()))).text();
  return /^archipay_marketplace_lost(?:\{\})? (\d+)$/m.exec(text)?.[1];
};

/** Pays, lets it count and be acted on, and then takes the blocks back for good. */
async function lost(
  units: bigint,
  order_id: string,
  act: (payment_id: number) => Promise<unknown>,
) {
  await look(h);
  const checkpoint = await node(sepolia, 'evm_snapshot');
  const hash = await payer.pay(order_id, units);
  const signed = await signedPayment(h, payer, hash);
  await look(h);
  const { payment_id } = await desk.find(hash);
  await act(payment_id);
  await node(sepolia, 'evm_revert', checkpoint);
  await node(sepolia, 'anvil_mine', '0x20');
  await look(h);
  return { payment_id, hash, signed };
}

const bought = (order: Body) => async () => {
  const end = { status: 'COMPLETED', vendor_reference: 'E-1' };
  expect((await desk.end(order.order_id, end))[0]).toBe(200);
};

test('a payment that vanishes after the goods were bought is a loss that a person has to see', async () => {
  const order = await shop.ordered(payer.address);
  const before = await lossesNow();
  const units = unitsOf(order);
  const { payment_id, hash } = await lost(units, order.order_id, bought(order));
  expect(await shop.read(order.order_id)).toMatchObject({ payment_status: 'COMPLETED' });
  expect(await lossesNow()).toBe(before - units);
  const [shown] = await desk.lost();
  expect(shown).toMatchObject({
    payment_id,
    tx_hash: hash,
    state: 'GONE',
    loss_note: null,
    lost: order.token_amount,
  });
  expect(await desk.owed()).toEqual([]);
  expect(await metric()).toBe('1');
  const told = await emittedEvents(h, 'marketplace_payment', payment_id);
  expect(told.at(-1)).toMatchObject({
    type: 'marketplace_payment.lost',
    data: { state: 'GONE', lost: order.token_amount },
  });
  expect(h.logs.some((line) => line.includes('"is_bought":true'))).toBe(true);
  // Nothing can be done with it but to say what it was.
  expect((await desk.refund(payment_id))[0]).toBe(400);
  expect((await desk.markRefunded(payment_id, 'x'))[0]).toBe(400);
  expect((await desk.assign(payment_id, order.order_id))[0]).toBe(400);
  for (let i = 0; i < 2; i += 1)
    expect(await desk.writeOff(payment_id, 'Claimed from nobody')).toMatchObject([
      200,
      { payment: { loss_note: 'Claimed from nobody' } },
    ]);
  expect(await desk.writeOff(payment_id, 'something else')).toMatchObject([
    400,
    { code: 'INVALID_STATUS' },
  ]);
  expect(await desk.lost()).toEqual([]);
  expect(await metric()).toBe('0');
  expect(await desk.audited('MARKETPLACE_LOSS_WRITTEN_OFF', payment_id)).toHaveLength(1);
});

test('a lost payment that is on chain again still pays its order, and is not owed back', async () => {
  const order = await shop.ordered(payer.address);
  const [losses, treasury] = [await lossesNow(), await booked(h, 'treasury')];
  const units = unitsOf(order);
  const { payment_id, signed } = await lost(units, order.order_id, bought(order));
  await signed.again(units);
  await look(h);
  expect(await desk.row(payment_id)).toMatchObject({
    state: 'COUNTED',
    applied_units: units,
    owed_units: 0n,
    refund: 'NONE',
  });
  expect(await lossesNow()).toBe(losses);
  expect(await booked(h, 'treasury')).toBe(treasury - units);
  expect([await desk.lost(), await desk.owed()]).toEqual([[], []]);
  expect((await desk.refund(payment_id))[0]).toBe(400);
  expect(await emittedTypes(h, 'marketplace_payment', payment_id)).toEqual([
    'marketplace_payment.lost',
    'marketplace_payment.found_again',
  ]);
  expect(await emittedTypes(h, 'marketplace_order', order.order_id)).toEqual([
    'marketplace_order.created',
    'marketplace_order.paid',
    'marketplace_order.completed',
  ]);
});

test('a refunded payment that was lost is not refunded again when it is back on chain', async () => {
  const losses = await lossesNow();
  const units = 17n;
  const { payment_id, signed } = await lost(units, 'MKT-1700000000000-aaaaaaaa', async (id) => {
    expect((await desk.markRefunded(id, 'by bank'))[0]).toBe(200);
  });
  expect(await lossesNow()).toBe(losses - units);
  expect((await desk.lost())[0]).toMatchObject({ payment_id, lost: '0.000017' });
  await signed.again(units);
  await look(h);
  expect(await desk.row(payment_id)).toMatchObject({
    state: 'COUNTED',
    owed_units: units,
    sent_units: units,
    refund: 'SENT',
  });
  expect(await lossesNow()).toBe(losses);
  expect([await desk.lost(), await desk.owed()]).toEqual([[], []]);
});

test('a further refund of a payment that was lost has a reference of its own', async () => {
  const order = await shop.ordered(payer.address);
  const [losses, elsewhere] = [await lossesNow(), await booked(h, 'elsewhere')];
  const units = unitsOf(order) + 19n;
  const { payment_id, signed } = await lost(units, order.order_id, async (id) => {
    expect((await desk.markRefunded(id, 'the rest by bank'))[0]).toBe(200);
  });
  await h.db
    .updateTable('marketplace_orders')
    .set({ payment_status: 'CANCELLED' })
    .where('order_id', '=', order.order_id)
    .execute();
  await signed.again(units);
  await look(h);
  expect(await desk.row(payment_id)).toMatchObject({
    reason: 'LATE',
    owed_units: units,
    sent_units: 19n,
    refund: 'OWED',
    refund_attempt: 2,
  });
  expect((await desk.markRefunded(payment_id, 'all of it by bank'))[0]).toBe(200);
  expect(await desk.row(payment_id)).toMatchObject({ sent_units: units, refund: 'SENT' });
  expect(await booked(h, 'elsewhere')).toBe(elsewhere + units);
  expect(await lossesNow()).toBe(losses);
});

test('a reorganisation deeper than all blocks that are remembered is found, too', async () => {
  const order = await shop.ordered(payer.address);
  const kept = await shop.ordered(payer.address);
  const stays = await payer.pay(kept.order_id, unitsOf(kept));
  const { payment_id } = await lost(unitsOf(order), order.order_id, async () => {
    // Nobody else is to pay, so that there is no other reason to read anything again.
    await h.db
      .updateTable('marketplace_orders')
      .set({ payment_status: 'CANCELLED' })
      .where('payment_status', '=', 'PENDING')
      .execute();
    await h.db.deleteFrom('chain_follower_marks').execute();
  });
  expect(await desk.row(payment_id)).toMatchObject({ state: 'GONE' });
  expect((await shop.read(order.order_id)).payment_status).toBe('PENDING');
  expect(await desk.find(stays)).toMatchObject({ state: 'COUNTED', adrift_until: null });
  expect((await shop.read(kept.order_id)).payment_status).toBe('PAID');
});
