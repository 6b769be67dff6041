import { randomUUID } from 'node:crypto';
import type { Hash } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { mintTokenCall, transferCall } from '#chains/evm/contracts/port.ts';
import { readBalances } from '#chains/evm/port.ts';
import { emittedEvents, emittedTypes } from '#test/emitted-events.ts';
import type { Body } from '#test/harness.ts';
import { harness } from '#test/harness.ts';
import {
  booked,
  look,
  payerOn,
  type Shopper,
  shopper,
  signedPayment,
  unitsOf,
} from '#test/marketplace.ts';
import { node } from '#test/strangers.ts';
import { until } from '#test/until.ts';

const h = await harness({ config: { JWT_TTL: '1000000' } });
const { sepolia, amoy } = h.app.evm.chains;
const operator = await h.operator();
let shop: Shopper;
let payer: Awaited<ReturnType<typeof payerOn>>;
let other: Awaited<ReturnType<typeof payerOn>>;

beforeAll(async () => {
  shop = shopper(h, await h.user());
  payer = await payerOn(h, 'sepolia');
  other = await payerOn(h, 'sepolia');
});

const ordered = (over: object = {}) => shop.ordered(payer.address, over);
const paymentOf = (tx_hash: Hash) =>
  h.db
    .selectFrom('marketplace_payments')
    .selectAll()
    .where('tx_hash', '=', tx_hash)
    .executeTakeFirst();
const untilRefund = (hash: Hash, refund: 'OWED' | 'SENT') =>
  until(h, async () => (await paymentOf(hash))?.refund === refund);
const owed = async (): Promise<Body[]> => {
  const [status, body] = await h.call('GET /marketplace/payments', {
    as: operator,
    query: { limit: 200 },
  });
  expect(status).toBe(200);
  return body.payments;
};
const refund = (payment_id: number) =>
  h.call('POST /marketplace/payments/{payment_id}/refund', {
    as: operator,
    params: { payment_id },
    body: {},
  });
const end = (order_id: string, body: object) =>
  h.call('POST /marketplace/orders/{order_id}/fulfilment', {
    as: operator,
    params: { order_id },
    body,
  });
/** What the treasury has by the ledger is what it has on chain, with what waits to be swept. */
async function expectBalanced(): Promise<void> {
  const { usdc, marketplace } = sepolia.contracts;
  const client = await sepolia.client();
  const read = (owner: string) =>
    client.call({ to: usdc, data: `0x70a08231${owner.slice(2).padStart(64, '0')}` });
  const [held, waiting] = await Promise.all(
    [h.app.evm.keys.treasury.address, marketplace].map(read),
  );
  expect(-(await booked(h, 'treasury'))).toBe(BigInt(held?.data ?? 0) + BigInt(waiting?.data ?? 0));
}

test('a payment at the contract makes its order PAID, once, and is owed to the shop', async () => {
  const order = await ordered();
  const hash = await payer.pay(order.order_id, unitsOf(order));
  expect((await shop.read(order.order_id)).payment_status).toBe('PENDING');
  await look(h);
  await look(h);
  expect(await shop.read(order.order_id)).toMatchObject({
    payment_status: 'PAID',
    blockchain_tx_hash: hash,
    paid_at: expect.stringMatching(/^20/),
    completed_at: null,
  });
  expect(await booked(h, 'owed')).toBe(unitsOf(order));
  await expectBalanced();
});

test('an exact transfer from the order’s wallet pays the oldest that waits for it, and is swept', async () => {
  const [older, newer] = [await ordered(), await ordered()];
  const hash = await payer.transfer(unitsOf(older));
  await look(h);
  expect(await shop.read(older.order_id)).toMatchObject({
    payment_status: 'PAID',
    blockchain_tx_hash: hash,
  });
  expect((await shop.read(newer.order_id)).payment_status).toBe('PENDING');
  await payer.transfer(unitsOf(older));
  await look(h);
  await h.drain();
  expect((await shop.read(newer.order_id)).payment_status).toBe('PAID');
  await expectBalanced();
  const client = await sepolia.client();
  const { usdc, marketplace } = sepolia.contracts;
  const left = await client.call({
    to: usdc,
    data: `0x70a08231${marketplace.slice(2).padStart(64, '0')}`,
  });
  expect(BigInt(left.data ?? 0)).toBe(0n);
});

describe('what fits no order is kept as owed to its payer', () => {
  type Case = readonly [what: string, reason: string, pay: (order: Body) => Promise<Hash>];
  const cases: readonly Case[] = [
    ['too little', 'UNDERPAID', (o) => payer.pay(o.order_id, unitsOf(o) - 1n)],
    [
      'an order that is not there',
      'WRONG_ORDER',
      () => payer.pay('MKT-1700000000000-aaaaaaaa', 5n),
    ],
    ['hostile text', 'WRONG_ORDER', () => payer.pay(`'; drop table\u0000 ${'x'.repeat(500)}`, 5n)],
    ['a transfer of another amount', 'NO_ORDER', (o) => payer.transfer(unitsOf(o) + 1n)],
    ['a transfer from another wallet', 'NO_ORDER', (o) => other.transfer(unitsOf(o))],
  ];
  test.each(cases)('%s', async (_what, reason, pay) => {
    const order = await ordered();
    const hash = await pay(order);
    await look(h);
    expect((await shop.read(order.order_id)).payment_status).toBe('PENDING');
    expect(await owed()).toContainEqual(
      expect.objectContaining({ tx_hash: hash, reason, refund: 'OWED' }),
    );
    await expectBalanced();
  });

  test('another token', async () => {
    const order = await ordered();
    await h.sandbox('POST', '/faucet', {
      chain: 'sepolia',
      address: payer.address,
      asset: 'IDRT',
      amount: '10000000',
    });
    const hash = await payer.transfer(unitsOf(order), sepolia.contracts.idr_token);
    await look(h);
    expect((await shop.read(order.order_id)).payment_status).toBe('PENDING');
    expect(await paymentOf(hash)).toMatchObject({ reason: 'WRONG_TOKEN', refund: 'OWED' });
    expect(await booked(h, 'refunds', 'IDRT')).toBe(unitsOf(order));
  });

  test('an order of another chain', async () => {
    const order = await ordered({ chain_id: 'amoy' });
    const hash = await payer.pay(order.order_id, unitsOf(order));
    await look(h);
    expect((await shop.read(order.order_id)).payment_status).toBe('PENDING');
    expect(await paymentOf(hash)).toMatchObject({ reason: 'WRONG_CHAIN' });
  });

  test('a second payment, by another wallet or by transfer', async () => {
    const order = await ordered();
    const first = await other.pay(order.order_id, unitsOf(order));
    const second = await payer.pay(order.order_id, unitsOf(order));
    const third = await payer.transfer(unitsOf(order));
    await look(h);
    expect(await shop.read(order.order_id)).toMatchObject({ blockchain_tx_hash: first });
    expect(await paymentOf(second)).toMatchObject({ reason: 'PAID_ALREADY', refund: 'OWED' });
    // The same wallet may have others that wait for exactly that.
    expect((await paymentOf(third))?.order_serial).not.toBe((await paymentOf(first))?.order_serial);
  });

  test('a wallet that several users name', async () => {
    const someone = shopper(h, await h.user());
    const solo = await payerOn(h, 'sepolia');
    const orders = [await shop.ordered(solo.address), await someone.ordered(solo.address)];
    const hash = await solo.transfer(unitsOf(orders[0]));
    await look(h);
    expect(await paymentOf(hash)).toMatchObject({ reason: 'AMBIGUOUS' });
    const named = await solo.pay(orders[1]?.order_id, unitsOf(orders[1]));
    await look(h);
    expect(await someone.read(orders[1]?.order_id)).toMatchObject({
      payment_status: 'PAID',
      blockchain_tx_hash: named,
    });
  });
});

test('what is paid too much pays the order, and the rest goes back once, from the treasury', async () => {
  const order = await ordered();
  const hash = await other.pay(order.order_id, unitsOf(order) + 7n);
  await look(h);
  expect((await shop.read(order.order_id)).payment_status).toBe('PAID');
  const payment = (await owed()).find(({ tx_hash }) => tx_hash === hash);
  expect(payment).toMatchObject({ reason: 'OVERPAID', owed: '0.000007' });
  const refunds = await booked(h, 'refunds');
  const answers = await Promise.all(Array.from({ length: 5 }, () => refund(payment.payment_id)));
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 200]);
  await untilRefund(hash, 'SENT');
  expect(await paymentOf(hash)).toMatchObject({ refund: 'SENT', sent_units: 7n });
  const told = await emittedEvents(h, 'marketplace_payment', payment.payment_id);
  expect(told).toMatchObject([
    { type: 'marketplace_payment.unmatched', data: { reason: 'OVERPAID', owed: '0.000007' } },
    { type: 'marketplace_payment.refund_started', data: { refund: 'SENDING' } },
    { type: 'marketplace_payment.refunded', data: { refund: 'SENT', owed: '0.000000' } },
  ]);
  expect(await booked(h, 'refunds')).toBe(refunds - 7n);
  expect((await refund(payment.payment_id))[0]).toBe(200);
  await expectBalanced();
});

test('what the treasury cannot send back is owed still, and is sent back once it can', async () => {
  const { usdc } = sepolia.contracts;
  const { treasury, hot } = h.app.evm.keys;
  const hash = await other.pay('MKT-1700000000000-aaaaaaaa', 9n);
  await look(h);
  const { payment_id = 0 } = (await paymentOf(hash)) ?? {};
  const { tokens } = await readBalances(sepolia, treasury.address, [usdc]);
  const all = tokens[0] ?? 0n;
  const named = () => ({ reference: randomUUID(), purpose: 'test' });
  const away = transferCall(usdc, other.address, all);
  await sepolia.sender.execute({ signer: treasury, ...away, ...named() });
  await refund(payment_id);
  await untilRefund(hash, 'OWED');
  expect(await paymentOf(hash)).toMatchObject({ refund: 'OWED', sent_units: 0n });
  const back = mintTokenCall(usdc, treasury.address, all);
  await sepolia.sender.execute({ signer: hot, ...back, ...named() });
  await refund(payment_id);
  await untilRefund(hash, 'SENT');
  expect(await paymentOf(hash)).toMatchObject({ refund: 'SENT', sent_units: 9n });
  expect(await emittedTypes(h, 'marketplace_payment', payment_id)).toEqual([
    'marketplace_payment.unmatched',
    'marketplace_payment.refund_started',
    'marketplace_payment.refund_failed',
    'marketplace_payment.refund_started',
    'marketplace_payment.refunded',
  ]);
  await expectBalanced();
});

test('only the operator sees what is owed, sends it back and says what became of an order', async () => {
  const admin = await h.user({ role: 'admin' });
  const order = await ordered();
  const params = { order_id: order.order_id };
  for (const answer of [
    await h.call('GET /marketplace/payments', { as: admin }),
    await h.call('POST /marketplace/payments/{payment_id}/refund', {
      as: admin,
      params: { payment_id: 1 },
      body: {},
    }),
    await h.call('POST /marketplace/orders/{order_id}/fulfilment', {
      as: admin,
      params,
      body: { status: 'FAILED', reason: 'x' },
    }),
  ])
    expect(answer).toMatchObject([403, { code: 'FORBIDDEN' }]);
  expect(await refund(2_000_000)).toMatchObject([404, { code: 'NOT_FOUND' }]);
});

test('a paid order is completed with the shop’s number, or fails and is owed back whole', async () => {
  const [bought, missed] = [await ordered(), await ordered()];
  expect(
    await end(bought.order_id, { status: 'COMPLETED', vendor_reference: 'E-1' }),
  ).toMatchObject([400, { code: 'INVALID_STATUS' }]);
  for (const order of [bought, missed]) await other.pay(order.order_id, unitsOf(order));
  await look(h);
  for (let i = 0; i < 2; i += 1)
    expect(
      await end(bought.order_id, { status: 'COMPLETED', vendor_reference: 'E-1' }),
    ).toMatchObject([200, { order: { payment_status: 'COMPLETED' } }]);
  expect((await shop.read(bought.order_id)).completed_at).toMatch(/^20/);
  expect(await booked(h, 'vendors')).toBe(unitsOf(bought));
  const [status] = await end(missed.order_id, { status: 'FAILED', reason: 'out of stock' });
  expect(status).toBe(200);
  expect(await shop.read(missed.order_id)).toMatchObject({ payment_status: 'FAILED' });
  const told = async ({ order_id }: Body) => emittedTypes(h, 'marketplace_order', order_id);
  const sofar = ['marketplace_order.created', 'marketplace_order.paid'];
  expect(await told(bought)).toEqual([...sofar, 'marketplace_order.completed']);
  expect(await told(missed)).toEqual([...sofar, 'marketplace_order.failed']);
  const [payment] = (await owed()).filter(({ reason }) => reason === 'NOT_DELIVERED');
  expect(payment).toMatchObject({ owed: missed.token_amount });
  await refund(payment.payment_id);
  await untilRefund(payment.tx_hash, 'SENT');
  expect(await paymentOf(payment.tx_hash)).toMatchObject({ refund: 'SENT' });
  await expectBalanced();
});

test('an unpaid order is CANCELLED in time, and a later payment is owed back', async () => {
  const late = await ordered();
  const inTime = await ordered();
  await h.advance(3590);
  await other.pay(inTime.order_id, unitsOf(inTime));
  await h.advance(120);
  await h.drain();
  await look(h);
  await h.advance(60);
  await h.drain();
  expect((await shop.read(late.order_id)).payment_status).toBe('CANCELLED');
  expect((await shop.read(inTime.order_id)).payment_status).toBe('PAID');
  const hash = await other.pay(late.order_id, unitsOf(late));
  await h.advance(60);
  await look(h);
  expect(await paymentOf(hash)).toMatchObject({ reason: 'LATE', refund: 'OWED' });
  expect((await shop.read(late.order_id)).payment_status).toBe('CANCELLED');
});

test('a payment in a dropped block counts again in the next one, and the order stays PAID', async () => {
  const order = await ordered();
  await look(h);
  const checkpoint = await node(sepolia, 'evm_snapshot');
  const hash = await other.pay(order.order_id, unitsOf(order));
  const signed = await signedPayment(h, other, hash);
  await look(h);
  const before = await paymentOf(hash);
  await node(sepolia, 'evm_revert', checkpoint);
  await node(sepolia, 'anvil_mine', '0x2');
  await look(h);
  expect(await paymentOf(hash)).toMatchObject({ state: 'COUNTED' });
  expect((await paymentOf(hash))?.adrift_until).not.toBeNull();
  expect(await end(order.order_id, { status: 'COMPLETED', vendor_reference: 'X' })).toMatchObject([
    409,
    { code: 'CONFLICT' },
  ]);
  await signed.again(unitsOf(order));
  await look(h);
  const after = await paymentOf(hash);
  expect(after).toMatchObject({ state: 'COUNTED', adrift_until: null, round: before?.round });
  expect(after?.block_hash).not.toBe(before?.block_hash);
  expect((await shop.read(order.order_id)).payment_status).toBe('PAID');
});

test('a payment that does not come back is gone: the order waits again, and the books say so', async () => {
  const order = await ordered();
  await look(h);
  const [owedBefore, treasury] = [await booked(h, 'owed'), await booked(h, 'treasury')];
  const checkpoint = await node(sepolia, 'evm_snapshot');
  const hash = await other.pay(order.order_id, unitsOf(order));
  await look(h);
  expect((await shop.read(order.order_id)).payment_status).toBe('PAID');
  await node(sepolia, 'evm_revert', checkpoint);
  await node(sepolia, 'anvil_mine', '0x20');
  await look(h);
  expect(await paymentOf(hash)).toMatchObject({ state: 'GONE', order_serial: null });
  expect(await shop.read(order.order_id)).toMatchObject({
    payment_status: 'PENDING',
    blockchain_tx_hash: null,
    paid_at: null,
  });
  expect([await booked(h, 'owed'), await booked(h, 'treasury')]).toEqual([owedBefore, treasury]);
  const again = await other.pay(order.order_id, unitsOf(order));
  await look(h);
  expect(await shop.read(order.order_id)).toMatchObject({ blockchain_tx_hash: again });
  const told = await emittedEvents(h, 'marketplace_order', order.order_id);
  expect(told.map(({ type, data }) => [type, data.blockchain_tx_hash])).toEqual([
    ['marketplace_order.created', null],
    ['marketplace_order.paid', hash],
    ['marketplace_order.unpaid', null],
    ['marketplace_order.paid', again],
  ]);
  expect(told.at(-1)?.data).toEqual(await shop.read(order.order_id));
});

test('each chain is followed by itself, and one that is away keeps no other from it', async () => {
  const buyer = await payerOn(h, 'amoy');
  const order = await shop.ordered(buyer.address, { chain_id: 'amoy' });
  await buyer.pay(order.order_id, unitsOf(order));
  await look(h);
  expect((await shop.read(order.order_id)).payment_status).toBe('PAID');
  expect(amoy.isRunning()).toBe(true);
  const metrics = await (await fetch(new URL('/metrics', h.app.apiUrl()))).text();
  expect(metrics).toMatch(/archipay_marketplace_owed\{reason="LATE"\} 1/);
});
