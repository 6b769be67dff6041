// Long: a chain takes blocks back.

import { expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { run } from '#kernel/db/db.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import { reconcileRail } from '#kernel/reconciliation/reconcile.ts';
import { harness } from '#test/harness.ts';
import { booked, look, payerOn, richWallet, shopper, unitsOf } from '#test/marketplace.ts';
import { node } from '#test/strangers.ts';
import { until } from '#test/until.ts';
import { proveKey } from '#test/wallet-proofs.ts';

/** The real thing, with the confirmations that it asks for. */
const h = await harness({ mock: false, config: { EVM_CONFIRMATIONS: '3', JWT_TTL: '1000000' } });
const { sepolia } = h.app.evm.chains;
const owner = await h.user();
const shop = shopper(h, owner);
const payer = await payerOn(h, 'sepolia');
await proveKey(h, owner, payer.key);
const wallet = await richWallet(h, owner, 'sepolia');
const mine = (blocks: number) => node(sepolia, 'anvil_mine', `0x${blocks.toString(16)}`);

test('what no catalogue knows cannot be ordered', async () => {
  const product = { productId: '7', title: 'Lamp', pricing: { price: 1, currency: 'USD' } };
  expect(await shop.order({ product, wallet_address: payer.address })).toMatchObject([
    404,
    { success: false, error: 'Product not found' },
  ]);
});

test('a payment counts with its confirmations, and until then the order does not expire', async () => {
  const order = await shop.ordered(payer.address);
  await payer.pay(order.order_id, unitsOf(order));
  await look(h);
  expect((await shop.read(order.order_id)).payment_status).toBe('PENDING');
  await h.advance(3700);
  await look(h);
  await h.advance(60);
  await h.drain();
  expect((await shop.read(order.order_id)).payment_status).toBe('PENDING');
  await mine(2);
  await look(h);
  expect((await shop.read(order.order_id)).payment_status).toBe('PAID');
});

test('a payment that is dropped before it counts is as if it had never been', async () => {
  const order = await shop.ordered(payer.address);
  await look(h);
  const before = await booked(h, 'treasury');
  const checkpoint = await node(sepolia, 'evm_snapshot');
  const hash = await payer.pay(order.order_id, unitsOf(order));
  await look(h);
  await node(sepolia, 'evm_revert', checkpoint);
  await mine(20);
  await look(h);
  const rows = await run(h.db, 'select from marketplace_payments where tx_hash = $1', [hash]);
  expect(rows).toEqual([]);
  expect((await shop.read(order.order_id)).payment_status).toBe('PENDING');
  expect(await booked(h, 'treasury')).toBe(before);
});

test('a managed wallet’s payment is answered at once, and PAID with its confirmations', async () => {
  const order = await shop.ordered(wallet);
  const [status, { transaction, order: told }] = await shop.pay(order.order_id);
  expect([status, transaction.status, told.payment_status]).toEqual([200, 'CONFIRMED', 'PENDING']);
  await mine(3);
  await look(h);
  expect(await shop.read(order.order_id)).toMatchObject({
    payment_status: 'PAID',
    blockchain_tx_hash: transaction.tx_hash,
  });
});

test('payments, sweeps and refunds leave no break in the chain’s rail', async () => {
  const order = await shop.ordered(payer.address);
  await payer.transfer(unitsOf(order));
  await payer.transfer(unitsOf(order) + 5n);
  await mine(3);
  await look(h);
  const as = await h.operator();
  const [, { payments }] = await h.call('GET /marketplace/payments', { as });
  const params = { payment_id: payments[0].payment_id };
  await h.call('POST /marketplace/payments/{payment_id}/refund', { as, params, body: {} });
  const left = async () => (await h.call('GET /marketplace/payments', { as }))[1].payments;
  await until(h, async () => (await left()).length === 0);
  expect(await left()).toEqual([]);
  const rail = h.app.features.rails.find(({ name }) => name === 'chain-sepolia');
  const clock = createClock(h.clock.offsetMs + 3_600_000);
  const signal = new AbortController().signal;
  await reconcileRail({ ...h.kernel, clock }, rail as Rail, { signal, again: true });
  const query = { state: 'OPEN', rail: 'chain-sepolia' };
  const [, { data }] = await h.call('GET /reconciliation/breaks', { as, query });
  expect(data.breaks).toEqual([]);
});

test('an order names a wallet that is known to be its user’s, and the refusal says how to prove one', async () => {
  const stranger = shopper(h, await h.user());
  const [product] = await stranger.search('batik scarf');
  expect(await stranger.order({ product, wallet_address: payer.address })).toMatchObject([
    403,
    { code: 'WALLET_ACCESS_DENIED', hint: expect.stringContaining('/wallet-proofs/challenges') },
  ]);
});

test('a payment pays the order of the wallet’s owner at the time when it counts', async () => {
  const former = await shop.ordered(payer.address);
  const next = shopper(h, await h.user());
  await proveKey(h, next.as, payer.key);
  const order = await next.ordered(payer.address);
  expect(unitsOf(order)).toBe(unitsOf(former));
  await payer.transfer(unitsOf(order));
  await mine(3);
  await look(h);
  expect((await next.read(order.order_id)).payment_status).toBe('PAID');
  expect((await shop.read(former.order_id)).payment_status).toBe('PENDING');
});
