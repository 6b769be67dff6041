import { afterEach, expect, test } from 'vitest';
import { approveCall } from '#chains/evm/contracts/port.ts';
import { userSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { appProcess } from '#test/app-process.ts';
import { type Body, harness } from '#test/harness.ts';
import { booked, payerOn, richWallet, shopper, unitsOf } from '#test/marketplace.ts';
import { node } from '#test/strangers.ts';

import { heldOf, walletOn } from '#test/wallets.ts';

const h = await harness({
  masterKey: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  jwtSecret: 'x'.repeat(64),
});
const { sepolia } = h.app.evm.chains;
const owner = await h.user();
const shop = shopper(h, owner);
const wallet = await richWallet(h, owner, 'sepolia');

afterEach(async () => {
  await node(sepolia, 'evm_setAutomine', true);
});

const journalled = (order: Body) =>
  h.db
    .selectFrom('chain_transactions')
    .select(['hash', 'status'])
    .where('reference', 'like', `marketplace-pay:${order.order_id}:_`)
    .execute();
const paymentsOf = (order: Body) =>
  h.db
    .selectFrom('marketplace_payments')
    .select(['tx_hash', 'state'])
    .where('order_id', '=', order.order_id)
    .execute();

test('twenty concurrent calls pay an order once, and all answer it', async () => {
  const order = await shop.ordered(wallet);
  const before = await booked(h, 'owed');
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.pay(order.order_id)));
  for (const [status, body] of answers)
    expect([status, body.order?.payment_status]).toEqual([200, 'PAID']);
  const sent = await journalled(order);
  expect(sent).toEqual([{ hash: answers[0]?.[1].transaction.tx_hash, status: 'CONFIRMED' }]);
  expect(await paymentsOf(order)).toEqual([{ tx_hash: sent[0]?.hash, state: 'COUNTED' }]);
  expect(await booked(h, 'owed')).toBe(before + unitsOf(order));
  expect(await heldOf(h, wallet)).toEqual([]);
  expect(await shop.pay(order.order_id)).toMatchObject([
    200,
    { transaction: { tx_hash: sent[0]?.hash } },
  ]);
});

test('several orders are paid from one wallet at once, each once', async () => {
  const orders = [];
  for (let i = 0; i < 4; i += 1) orders.push(await shop.ordered(wallet));
  await Promise.all(orders.map(({ order_id }) => shop.pay(order_id)));
  // The allowance is the wallet's: whoever found it used is asked again.
  for (const { order_id } of orders) await shop.pay(order_id);
  for (const order of orders) {
    expect((await shop.read(order.order_id)).payment_status).toBe('PAID');
    expect((await paymentsOf(order)).length).toBe(1);
  }
});

test('what cannot be paid says why, and nothing stays set aside', async () => {
  const [poor] = await walletOn(h, owner, 'sepolia');
  const address = poor?.wallet_address ?? '';
  const order = await shop.ordered(address);
  expect(await shop.pay(order.order_id)).toMatchObject([
    400,
    { success: false, code: 'INSUFFICIENT_FUNDS' },
  ]);
  expect(await heldOf(h, address)).toEqual([]);
  const colleague = await h.user({ client_id: owner.client_id });
  const admin = await h.user({ client_id: owner.client_id, role: 'admin' });
  for (const as of [colleague, admin, await h.user()])
    expect(await shopper(h, as).pay(order.order_id)).toMatchObject([
      404,
      { error: 'Order not found' },
    ]);
  const outside = await payerOn(h, 'sepolia');
  const foreign = await shop.ordered(outside.address);
  expect(await shop.pay(foreign.order_id)).toMatchObject([404, { code: 'WALLET_NOT_FOUND' }]);
  const paid = await shop.ordered(wallet);
  await outside.pay(paid.order_id, unitsOf(paid));
  expect(await shop.pay(paid.order_id)).toMatchObject([400, { code: 'INVALID_STATUS' }]);
});

/** What the payment will need is there already, so that it hangs itself; or not, so that its allowance does. */
async function allow(units: bigint, reference: string): Promise<void> {
  const [signer] = await userSigners(h.db, h.kernel.vault)(owner.user_id, 'sepolia');
  if (signer?.address !== wallet) throw new Error('Another wallet is the primary one');
  const { usdc, marketplace } = sepolia.contracts;
  await sepolia.sender.execute({
    signer,
    reference,
    purpose: 'test',
    ...approveCall(usdc, marketplace, units),
  });
}

test.each(['allowance', 'payment'] as const)(
  'an order whose paying process is killed at its %s is paid once',
  async (dies) => {
    const order = await shop.ordered(wallet);
    await allow(dies === 'payment' ? unitsOf(order) : 0n, `allow:${order.order_id}`);
    await node(sepolia, 'evm_setAutomine', false);
    const apiKey = await h.apiKey();
    const child = await appProcess({
      databaseUrl: h.kernel.pool.options.connectionString ?? '',
      secrets: {
        MASTER_KEY: `1:${Buffer.alloc(32, 7).toString('base64')}`,
        JWT_SECRET: 'x'.repeat(64),
        EVM_MNEMONIC: 'test test test test test test test test test test test junk',
      },
      aheadMs: h.clock.offsetMs,
      settings: {
        NODE_ENV: 'test',
        HOST: '127.0.0.1',
        PORT: '0',
        ROLE: 'api',
        RATE_LIMITS: 'off',
        SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
        SANDBOX_SMTP_PORT: '0',
        LOG_LEVEL: 'silent',
        DATA_DIR: h.dataDir,
        EVM_SEPOLIA_RPC_URL: await h.app.evm.chains.sepolia.url(),
      },
    });
    const as = { ...owner, apiKey };
    const key = `pay-${order.order_id}`;
    const cut = child
      .post(`/marketplace/orders/${order.order_id}/pay`, as, key, {})
      .catch(() => undefined);
    const like = dies === 'payment' ? ':_' : ':_:%';
    const isThere = async () => {
      const [row] = await h.db
        .selectFrom('chain_transactions')
        .select('hash')
        .where('reference', 'like', `marketplace-pay:${order.order_id}${like}`)
        .execute();
      return row !== undefined;
    };
    await expect.poll(isThere).toBe(true);
    await child.end('SIGKILL');
    await cut;
    await node(sepolia, 'evm_setAutomine', true);
    await node(sepolia, 'anvil_mine', '0x1');
    await sepolia.monitorOpen();
    await h.advance(300);
    await h.drain();
    const again = await h.kernel.sessions.open(h.db, {
      user_id: owner.user_id,
      method: 'password',
    });
    const repeated = shopper(h, { ...owner, ...again });
    expect(await repeated.pay(order.order_id)).toMatchObject([
      200,
      { order: { payment_status: 'PAID' } },
    ]);
    expect(await paymentsOf(order)).toHaveLength(1);
    expect((await journalled(order)).filter(({ status }) => status === 'CONFIRMED')).toHaveLength(
      1,
    );
  },
);
