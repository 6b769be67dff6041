// Long: it loads a library of every exchange.

import { tokocrypto } from 'ccxt';
import { expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { exchangeSimulator } from '#sandbox/providers/exchange/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';

const config = loadConfig({ NODE_ENV: 'test' });
const { url } = await testSandbox(exchangeSimulator(config, {}));
const at = `${url}/exchange`;
const client = (secret = config.EXCHANGE_SECRET) =>
  new tokocrypto({
    apiKey: config.EXCHANGE_KEY,
    secret,
    urls: { api: { rest: { public: at, private: at, binance: at } } },
  });

test('ccxt loads the markets, the book and the balance', async () => {
  const exchange = client();
  expect(Object.keys(await exchange.loadMarkets())).toContain('USDC/IDR');
  const { asks } = await exchange.fetchOrderBook('USDC/IDR');
  expect(Number(asks[0]?.[0])).toBeGreaterThan(1000);
  expect(await exchange.fetchBalance()).toHaveProperty('total');
});

test('ccxt knows a wrong signature', async () => {
  await expect(client('other').fetchBalance()).rejects.toThrow(/-1022/);
});
