import { randomUUID } from 'node:crypto';
import { encodeFunctionData, keccak256, toHex } from 'viem';
import { expect, test } from 'vitest';
import { marketplacePayments } from '#chains/evm/contracts/contracts.generated.ts';
import { recordPurchaseCall } from '#chains/evm/contracts/port.ts';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { correcting } from './adjustments.ts';
import { harness } from './harness.ts';
import { look, payerOn, paymentDesk, shopper, unitsOf } from './marketplace.ts';
import { purchases } from './purchases.ts';
import { until } from './until.ts';

/** Refunds, releases, returns and corrections of payments other than cards: the money goes back once, for any number of requests. */
const h = await harness({ config: { JWT_TTL: '1000000' } });
await h.drain();
const p = purchases(h);
const { neon } = h.app.evm.chains;
const { hot, deployer } = h.app.evm.keys;
const TWENTY = Array.from({ length: 20 }, (_, n) => n);

const inOrder = async () => expect((await verifyLedger(h.db)).broken).toEqual([]);
/** A correction of the ledger cannot reverse it: the money goes back by its own way. */
async function refusedToReverse(key: string) {
  const { propose, ada } = await correcting(h);
  const [status, { error }] = await propose(ada, { kind: 'reversal', of: key });
  expect([key, status, error?.code]).toEqual([key, 409, 'NOT_REVERSIBLE']);
}
const postingsLike = async (pattern: string): Promise<string[]> =>
  (
    await run<{ key: string }>(
      h.db,
      'select operation_key as key from ledger.transfers where operation_key like $1',
      [pattern],
    )
  ).map(({ key }) => key);
/** Whether the payment contract takes USDC. */
async function accept(isAccepted: boolean): Promise<void> {
  const args = [neon.contracts.usdc, isAccepted] as const;
  const data = encodeFunctionData({ abi: marketplacePayments.abi, functionName: 'accept', args });
  const call = { to: neon.contracts.marketplace, data };
  await neon.sender.execute({
    ...call,
    signer: deployer,
    reference: randomUUID(),
    purpose: 'test',
  });
}

test('a purchase that cannot be recorded is refunded once', async () => {
  const who = await p.buyer();
  const before = await p.usdcOf('neon', who.wallet_address);
  const order_id = await p.ordered(who);
  const paymentTx = keccak256(toHex(order_id));
  const entry = { orderId: order_id, buyer: hot.address, units: 1n, paymentTx };
  const call = recordPurchaseCall(neon.contracts, { ...entry, metaHash: paymentTx });
  await neon.sender.execute({ signer: hot, ...call, reference: randomUUID(), purpose: 'test' });
  await Promise.all(TWENTY.map(() => p.execute(who, order_id)));
  await until(h, async () => (await p.row(order_id)).status === 'REFUNDED');
  await Promise.all(TWENTY.map(() => p.execute(who, order_id)));
  await h.drain();
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(before);
  expect(await p.house('purchase-payments', 'USDC')).toBe(0n);
  const keys = await postingsLike(`purchase:${order_id}:%`);
  expect(keys.map((key) => key.split(':').at(-1)).sort()).toEqual(['paid', 'refunded', 'sold']);
  for (const key of keys) await refusedToReverse(key);
  await inOrder();
});

test('a purchase with a refused payment releases its hold once, and is not refunded', async () => {
  const who = await p.buyer();
  const before = await p.usdcOf('neon', who.wallet_address);
  const order_id = await p.ordered(who);
  await accept(false);
  await Promise.all(TWENTY.map(() => p.execute(who, order_id)));
  await until(h, async () => (await p.row(order_id)).status === 'FAILED');
  await accept(true);
  await Promise.all(TWENTY.map(() => p.execute(who, order_id)));
  await h.drain();
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(before);
  expect(await postingsLike(`purchase:${order_id}:%`)).toEqual([]);
  expect((await p.row(order_id)).status).toBe('FAILED');
  // No hold is left: the whole balance can be spent.
  const next = await p.ordered(who, '$90.00');
  expect((await p.execute(who, next))[0]).toBe(200);
  await inOrder();
});

async function shopping() {
  const shop = shopper(h, await h.user());
  const payer = await payerOn(h, 'sepolia');
  const order = await shop.ordered(payer.address);
  await look(h);
  return { shop, payer, order, desk: await paymentDesk(h) };
}
const usdcOn = (address: string) => p.usdcOf('sepolia', address);

test('a payment without an order is assigned, refunded or marked: one of them, once', async () => {
  const { payer, order, desk } = await shopping();
  const units = unitsOf(order);
  const hash = await payer.pay('MKT-1700000000000-cccccccc', units);
  await look(h);
  const { payment_id } = await desk.find(hash);
  const before = await usdcOn(payer.address);
  const ways = [
    () => desk.refund(payment_id),
    () => desk.assign(payment_id, order.order_id),
    () => desk.markRefunded(payment_id, 'by hand'),
    () => desk.writeOff(payment_id, 'gone'),
  ];
  await Promise.all(TWENTY.map((n) => ways[n % ways.length]?.()));
  await until(h, async () => (await desk.row(payment_id))?.refund !== 'SENDING');
  const row = await desk.row(payment_id);
  const { applied_units = 0n, sent_units = 0n, settled_note } = row ?? {};
  expect(applied_units + sent_units).toBe(units);
  const came = (await usdcOn(payer.address)) - before;
  expect(came).toBe(settled_note === null ? sent_units : 0n);
  for (const key of await postingsLike(`%${payment_id}%marketplace%`)) await refusedToReverse(key);
  await inOrder();
});

test('an order failed and completed at once ends one way, refunded at most once', async () => {
  const { shop, payer, order, desk } = await shopping();
  const before = await usdcOn(payer.address);
  const units = unitsOf(order);
  const hash = await payer.pay(order.order_id, units);
  await look(h);
  const { payment_id } = await desk.find(hash);
  const ends = [
    () => desk.end(order.order_id, { status: 'FAILED', reason: 'sold out' }),
    () => desk.end(order.order_id, { status: 'COMPLETED', vendor_reference: 'SHOP-1' }),
    () => desk.refund(payment_id),
  ];
  const answers = await Promise.all(TWENTY.map((n) => ends[n % ends.length]?.()));
  expect(answers.filter((answer) => answer?.[0] === 200).length).toBeGreaterThan(0);
  await Promise.all(TWENTY.map(() => desk.refund(payment_id)));
  await until(h, async () => (await desk.row(payment_id))?.refund !== 'SENDING');
  const { payment_status } = await shop.read(order.order_id);
  const isBack = (await desk.row(payment_id))?.refund === 'SENT';
  expect(isBack).toBe(payment_status !== 'COMPLETED');
  expect((await usdcOn(payer.address)) - before).toBe(isBack ? 0n : -units);
  await inOrder();
});

test('a correction is reversed once, and no other correction reverses it again', async () => {
  const { ada, ben, give, propose, decide, balance } = await correcting(h);
  const user = await h.user();
  await h.call('POST /wallets/fiat', { as: user, body: { currency: 'USD' } });
  const of = await give(user, '50.00');
  expect(await balance(user)).toBe(50_00n);
  const proposed = await Promise.all(TWENTY.map(() => propose(ada, { kind: 'reversal', of })));
  const made = proposed.flatMap(([status, { data }]) => (status < 300 ? [data] : []));
  const decided = await Promise.all(made.map((one) => decide(ben, 'approve', one)));
  expect(decided.filter(([status]) => status === 200)).toHaveLength(1);
  expect(await balance(user)).toBe(0n);
  expect((await propose(ada, { kind: 'reversal', of }))[0]).toBeGreaterThanOrEqual(400);
  await inOrder();
});
