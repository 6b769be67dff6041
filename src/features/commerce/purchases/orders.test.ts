import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { emittedEvents, emittedTypes } from '#test/emitted-events.ts';
import { harness } from '#test/harness.ts';
import { loseAnswers } from '#test/lost-answers.ts';
import { mailTo } from '#test/mails.ts';
import { look, payerOn, shopper } from '#test/marketplace.ts';
import { purchases, RECIPIENT } from '#test/purchases.ts';
import { heldOf } from '#test/wallets.ts';

const h = await harness();
const p = purchases(h);
const { neon, amoy } = h.app.evm.chains;
const treasury = h.app.evm.keys.treasury.address;

test('an order is paid on chain, sold, recorded and confirmed by mail', async () => {
  const who = await p.buyer();
  const [created, order] = await p.create(who);
  expect([created, order]).toMatchObject([
    200,
    {
      step: 'create-order',
      order_id: expect.stringMatching(/^MCP-\d{13}-[0-9A-F]{8}$/),
      wallet: {
        address: who.wallet_address,
        balance_usdc: '100.000000',
        balance_formatted: 'USDC 100.000000',
        held: '0.000000',
        available: '100.000000',
      },
      transaction: { required_usdc: '20.000000', sufficient_balance: true, can_proceed: true },
      recipient: RECIPIENT,
      pricing: {
        original: { amount: 20, currency: 'USD', formatted: 'USD 20.00' },
        usdc: { amount: '20.000000', formatted: 'USDC 20.000000' },
        conversion_rate: '1',
        route: 'USD → USDC',
      },
      ready_for_payment: true,
    },
  ]);
  const { order_id } = order;
  const before = await p.usdcOf('neon', treasury);
  const [status, done] = await p.execute(who, order_id);
  expect([status, done]).toMatchObject([
    200,
    {
      step: 'execute-order',
      success: true,
      order: { order_id, status: 'COMPLETED' },
      transaction: {
        tx_hash_payment: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        tx_hash_mcp: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        mcp_status: 'RECORDED',
        offramp_status: 'SUCCESS_RECEIVED',
        amount_paid: '20.000000',
        wallet_address: who.wallet_address,
      },
      pricing: order.pricing,
      recipient: RECIPIENT,
      email_sent: true,
    },
  ]);
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(80_000_000n);
  expect(await p.usdcOf('neon', treasury)).toBe(before + 20_000_000n);
  expect(await heldOf(h, who.wallet_address)).toEqual([]);

  await h.drain();
  const mail = await mailTo(h, who.as.email, /Receipt/);
  expect(mail.text.split('\n')).toContain(`Order: ${order_id}`);
  expect(mail.text).toContain('Product: Desk lamp');

  const [again, same] = await p.execute(who, order_id);
  expect([again, same]).toEqual([200, done]);

  const told = await emittedEvents(h, 'purchase', order_id);
  expect(told.map(({ type, data }) => [type, data.status])).toEqual([
    ['purchase.created', 'CREATED'],
    ['purchase.confirmed', 'PAYING'],
    ['purchase.paid', 'PAID'],
    ['purchase.completed', 'COMPLETED'],
  ]);
  expect(told.at(-1)?.data).toMatchObject({
    user_id: who.as.user_id,
    pricing: order.pricing,
    recipient: RECIPIENT,
    tx_hash_payment: done.transaction.tx_hash_payment,
    tx_hash_mcp: done.transaction.tx_hash_mcp,
    email_sent: true,
  });
});

test('on another chain the order says on which, and the answer, too', async () => {
  const who = await p.buyer({ chain: 'amoy' });
  const [created, order] = await p.create(who, {}, 'Rp 158.755');
  const chain_info = {
    selected_chain: 'amoy',
    chain_name: 'Polygon Amoy',
    contract_info: {
      usdc_contract: amoy.contracts.usdc,
      mcp_contract: amoy.contracts.commerce,
      rpc_url: expect.stringMatching(/^http:\/\/127\.[\d.]+:/),
      explorer_url: 'https://amoy.polygonscan.com',
    },
  };
  expect([created, order]).toMatchObject([
    200,
    {
      step: 'create-order-v2',
      version: 'v2',
      chain_info,
      wallet: { balance_usdc: '100.000000', validated: true },
      transaction: { required_usdc: '10.000000', sufficient_balance: true, can_proceed: true },
      order_details: { product: { priceText: 'Rp 158.755' }, recipient: RECIPIENT },
      next_step: 'execute-order',
      ready_for_payment: true,
    },
  ]);
  const [status, done] = await p.execute(who, order.order_id);
  expect([status, done]).toMatchObject([
    200,
    { step: 'execute-order-v2', version: 'v2', chain_info, order: { status: 'COMPLETED' } },
  ]);
  expect(await p.usdcOf('amoy', who.wallet_address)).toBe(90_000_000n);
  expect(await p.row(order.order_id)).toMatchObject({ chain_id: 'amoy', version: 'v2' });
});

test('a paid order is owed to its shop in the shop’s currency, and the ledger agrees', async () => {
  const who = await p.buyer();
  const owed = await p.house('purchases-owed', 'EUR');
  const payments = await p.house('purchase-payments', 'USDC');
  const order_id = await p.ordered(who, '9,20 €');
  expect((await p.execute(who, order_id))[0]).toBe(200);
  expect((await p.house('purchases-owed', 'EUR')) - owed).toBe(920n);
  expect((await p.house('purchase-payments', 'USDC')) - payments).toBe(-10_000_000n);
  expect(await p.house('purchases', 'USDC')).toBe(0n);
  expect(await verifyLedger(h.db)).toMatchObject({ broken: [] });
  const conversion = await h.db
    .selectFrom('fx_conversions')
    .selectAll()
    .where('reference', '=', `purchase:${order_id}:sold`)
    .executeTakeFirstOrThrow();
  expect(conversion).toMatchObject({ from_units: 10_000_000n, to_asset: 'EUR', to_units: 920n });
});

test('twenty who execute one order at once pay it once', async () => {
  const who = await p.buyer();
  const order_id = await p.ordered(who);
  const answers = await Promise.all(Array.from({ length: 20 }, () => p.execute(who, order_id)));
  const hashes = answers.map(([status, body]) => [status, body.transaction?.tx_hash_payment]);
  expect(new Set(hashes.map(String)).size).toBe(1);
  expect(hashes[0]?.[0]).toBe(200);
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(80_000_000n);
  await h.drain();
  const mails = await h.messages(who.as.email);
  expect(mails.filter(({ subject }) => subject.includes(order_id))).toHaveLength(1);
  const journal = await h.db
    .selectFrom('chain_transactions')
    .select('purpose')
    .where('reference', 'like', `purchase:${order_id}:%`)
    .execute();
  expect(journal.map(({ purpose }) => purpose).sort()).toEqual([
    'purchase allowance',
    'purchase payment',
    'purchase record',
  ]);
});

test('several orders of one wallet at once are all paid, each once', async () => {
  const who = await p.buyer();
  const ids = await Promise.all(['$1.00', '$2.00', '$3.00'].map((text) => p.ordered(who, text)));
  const answers = await Promise.all(ids.map((id) => p.execute(who, id)));
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200]);
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(94_000_000n);
});

test('orders for more than a wallet has are paid as far as it goes, never further', async () => {
  const who = await p.buyer({ usdc: '50' });
  const ids = await Promise.all(['$20.00', '$20.00', '$20.00'].map((text) => p.ordered(who, text)));
  const answers = await Promise.all(ids.map((id) => p.execute(who, id)));
  expect(answers.map(([status]) => status).sort()).toEqual([200, 200, 400]);
  const refused = answers.find(([status]) => status === 400)?.[1];
  expect(refused).toMatchObject({ code: 'INSUFFICIENT_BALANCE', details: { token: 'USDC' } });
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(10_000_000n);
  // Nothing was taken: it may be confirmed again once there is enough.
  const rows = await Promise.all(ids.map(p.row));
  expect(rows.map(({ status }) => status).sort()).toEqual(['COMPLETED', 'COMPLETED', 'CREATED']);
});

test('in mock mode the hot wallet gives the gas that a buyer has not', async () => {
  const who = await p.buyer({ native: '0' });
  const order_id = await p.ordered(who);
  expect((await p.execute(who, order_id))[0]).toBe(200);
  const client = await neon.client();
  const left = await client.getBalance({ address: who.wallet_address as `0x${string}` });
  expect(left).toBeGreaterThan(0n);
});

test('who does not confirm buys nothing', async () => {
  const who = await p.buyer();
  const order_id = await p.ordered(who);
  for (const confirmation of ['yes', '', 'conf irm'])
    expect(await p.execute(who, order_id, { confirmation })).toMatchObject([
      400,
      { error: 'User did not confirm purchase' },
    ]);
  expect(await p.row(order_id)).toMatchObject({ status: 'CREATED' });
  expect((await p.execute(who, order_id, { confirmation: 'Ya, CONFIRM' }))[0]).toBe(200);
});

test('an order belongs to its maker, and to the wallet that it names', async () => {
  const [who, other] = [await p.buyer(), await p.buyer()];
  const order_id = await p.ordered(who);
  const missing = [404, { error: 'Order not found' }];
  expect(await p.execute(other, order_id)).toMatchObject(missing);
  expect(await p.execute({ ...who, as: other.as }, order_id)).toMatchObject(missing);
  const admin = await h.user({ role: 'admin', client_id: who.as.client_id });
  expect(await p.execute({ ...who, as: admin }, order_id)).toMatchObject(missing);
  expect(await p.execute(who, 'MCP-1-X')).toMatchObject(missing);
  const wrong = { wallet_address: other.wallet_address };
  expect(await p.execute(who, order_id, wrong)).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  expect(await p.create(who, wrong)).toMatchObject([404, { code: 'WALLET_NOT_FOUND' }]);
  expect(await p.row(order_id)).toMatchObject({ status: 'CREATED' });
});

test('an unconfirmed order expires, also against a concurrent confirmation', async () => {
  const who = await p.buyer();
  const [late, later] = [await p.ordered(who), await p.ordered(who)];
  // From the first look on a schedule knows when it is due.
  await h.drain();
  await h.advance(31 * 60);
  expect(await p.execute(who, late)).toMatchObject([400, { code: 'INVALID_STATUS' }]);
  await h.drain();
  expect(await p.row(later)).toMatchObject({ status: 'EXPIRED' });
  expect(await p.execute(who, later)).toMatchObject([400, { code: 'INVALID_STATUS' }]);
  expect(await emittedTypes(h, 'purchase', later)).toEqual([
    'purchase.created',
    'purchase.expired',
  ]);
  // As if so long ago: a platform that sleeps for three months has much else to catch up with.
  await h.kernel.pool.query(
    `update purchase_orders set created_at = created_at - interval '90 days',
       expires_at = expires_at - interval '90 days' where order_id = $1`,
    [later],
  );
  await h.advance(24 * 3600);
  await h.drain();
  const kept = await h.db.selectFrom('purchase_orders').select('order_id').execute();
  expect(kept.map(({ order_id }) => order_id)).not.toContain(later);
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(100_000_000n);
});

test('the marketplace, which follows the same contract, takes no purchase for a payment of its own', async () => {
  const who = await p.buyer();
  const shop = shopper(h, who.as);
  const market = await shop.ordered(who.wallet_address, { chain_id: 'neon' });
  const order_id = await p.ordered(who);
  expect((await p.execute(who, order_id))[0]).toBe(200);
  // Whoever pays under such a name by himself is no buyer of ours, and is owed it back.
  const other = await payerOn(h, 'neon');
  await other.allow(5n);
  await other.pay(order_id, 5n);
  await look(h);
  const seen = await h.db.selectFrom('marketplace_payments').select(['payer', 'reason']).execute();
  expect(seen).toEqual([{ payer: other.address, reason: 'WRONG_ORDER' }]);
  expect(await shop.read(market.order_id)).toMatchObject({ payment_status: 'PENDING' });
});

test('a request for an order that is repeated is one order', async () => {
  const who = await p.buyer();
  const body = {
    ...(await p.priced()),
    recipient: RECIPIENT,
    wallet_address: who.wallet_address,
  };
  const headers = { 'idempotency-key': `purchase-${who.as.user_id}` };
  const ask = () => h.call('POST /mcp/create-order', { as: who.as, body, headers });
  const [[, first], [, second]] = [await ask(), await ask()];
  expect(second.order_id).toBe(first.order_id);
});

test('a repetition after its process has died finds its order, although the wallet has paid it by now', async () => {
  const who = await p.buyer({ usdc: '20' });
  const body = {
    ...(await p.priced()),
    recipient: RECIPIENT,
    wallet_address: who.wallet_address,
  };
  const ask = (key: string) =>
    h.call('POST /mcp/create-order', { as: who.as, body, headers: { 'idempotency-key': key } });
  const [status, { order_id }] = await ask('a lamp');
  expect(status).toBe(200);
  expect((await p.execute(who, order_id))[0]).toBe(200);
  await loseAnswers(h);
  const transaction = { sufficient_balance: false, can_proceed: false };
  expect(await ask('a lamp')).toMatchObject([200, { order_id, transaction }]);
  expect(await ask('another lamp')).toMatchObject([400, { code: 'INSUFFICIENT_BALANCE' }]);
});
