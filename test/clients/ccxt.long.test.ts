// Long: it loads a library of every exchange.

import { tokocrypto } from 'ccxt';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { addDeposit } from '#sandbox/providers/exchange/simulated-movements.ts';
import { exchangeSimulator } from '#sandbox/providers/exchange/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';

const config = loadConfig({ NODE_ENV: 'test' });
const { url, world, control } = await testSandbox(exchangeSimulator(config, {}));
const at = `${url}/exchange`;
const client = (secret = config.EXCHANGE_SECRET) =>
  new tokocrypto({
    apiKey: config.EXCHANGE_KEY,
    secret,
    urls: { api: { rest: { public: at, private: at, binance: at } } },
  });
const behave = (how: object) => control('POST /exchange/behaviour', how);

beforeAll(async () => {
  await addDeposit(world, { note: 'TRANSFER', amount: '50000000' }, true);
});
beforeEach(() => control('DELETE /exchange/behaviour'));

test('ccxt loads the markets, the book and the balance', async () => {
  const exchange = client();
  expect(Object.keys(await exchange.loadMarkets())).toContain('USDC/IDR');
  const { asks } = await exchange.fetchOrderBook('USDC/IDR');
  expect(Number(asks[0]?.[0])).toBeGreaterThan(1000);
  expect(await exchange.fetchBalance()).toHaveProperty('total');
});

test('ccxt buys by cost and sells at the market, with names of its own', async () => {
  const exchange = client();
  const bought = await exchange.createMarketBuyOrderWithCost('USDC/IDR', 1_590_000);
  expect(bought).toMatchObject({ status: 'closed', side: 'buy', filled: 100, cost: 1_590_000 });
  const sold = await exchange.createMarketSellOrder('USDC/IDR', 50);
  expect(sold).toMatchObject({ status: 'closed', side: 'sell', filled: 50, cost: 792_500 });
  const fills = await exchange.fetchMyTrades('USDC/IDR', undefined, undefined, {
    orderId: sold.id,
  });
  expect(fills).toMatchObject([{ side: 'sell', amount: 50 }]);
});

test('ccxt’s limit order waits for its price, holds the money, and is cancelled', async () => {
  const exchange = client();
  const before = await exchange.fetchBalance();
  const order = await exchange.createLimitBuyOrder('USDC/IDR', 100, 15_000);
  expect(order).toMatchObject({ status: 'open', price: 15_000, filled: 0 });
  expect((await exchange.fetchBalance())['IDR']).toMatchObject({ used: 1_500_000 });
  expect(await exchange.fetchOpenOrders('USDC/IDR')).toHaveLength(1);
  expect(await exchange.cancelOrder(String(order.id), 'USDC/IDR')).toMatchObject({
    status: 'canceled',
  });
  expect(await exchange.fetchOpenOrders('USDC/IDR')).toHaveLength(0);
  expect(await exchange.fetchBalance()).toMatchObject({ IDR: before['IDR'] });
  await expect(exchange.cancelOrder(String(order.id), 'USDC/IDR')).rejects.toThrow(/-2011/);
});

test('ccxt sees half of an order done while the rest stays open', async () => {
  await behave({ orders: 'half' });
  const exchange = client();
  const order = await exchange.createLimitBuyOrder('USDC/IDR', 100, 15_900);
  expect(order).toMatchObject({ status: 'open', filled: 50, remaining: 50 });
  await behave({ orders: 'fill' });
  expect(await exchange.fetchOrder(String(order.id))).toMatchObject({
    status: 'closed',
    filled: 100,
  });
});

test('ccxt withdraws without a reference', async () => {
  const { id } = await client().withdraw('USDC', 10, '0x742d35Cc6634C0532925a3b844Bc454e4438f44e');
  expect(id).toMatch(/^\d+$/);
});

test('ccxt reads the exchange’s own codes of refusals', async () => {
  const exchange = client();
  await expect(client('other').fetchBalance()).rejects.toThrow(/-1022/);
  await expect(exchange.fetchOrder('1')).rejects.toThrow(/-2013/);
  await expect(exchange.createLimitBuyOrder('USDC/IDR', 1e6, 15_000)).rejects.toMatchObject({
    name: 'InsufficientFunds',
  });
  await expect(exchange.createLimitBuyOrder('USDC/IDR', 0.1, 15_000)).rejects.toThrow(/NOTIONAL/);
  await expect(exchange.fetchOHLCV('USDC/IDR')).rejects.toThrow(/-1020/);
  await control('POST /faults', { provider: 'exchange', kind: 'throttle', code: '-1003' });
  await expect(exchange.fetchBalance()).rejects.toMatchObject({ name: 'DDoSProtection' });
});
