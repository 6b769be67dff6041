// Long: lists are as long as the exchange's.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import {
  type SimulatedDeposit,
  shownDeposit,
  shownWithdrawal,
} from '#sandbox/providers/exchange/simulated-movements.ts';
import { exchangeSimulator } from '#sandbox/providers/exchange/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { exchangeAdapter } from './adapter.ts';

const config = loadConfig({ NODE_ENV: 'test' });
const { url, world, clock } = await testSandbox(exchangeSimulator(config, {}));
const shopAt = (at: string) =>
  exchangeAdapter({
    id: 'tokocrypto',
    url: () => at,
    key: config.EXCHANGE_KEY,
    secret: config.EXCHANGE_SECRET,
    clock,
    isLimited: false,
  });
const doneOf = <T>(outcome: Outcome<T>): T => {
  if (outcome.kind === 'done') return outcome.value;
  throw new Error(JSON.stringify(outcome));
};

/** The same exchange, except one of its lists. */
async function forging(path: string, list: () => object[]): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = request.url?.includes(path)
      ? JSON.stringify({ code: 0, msg: 'Success', data: { list: list() }, timestamp: 0 })
      : await (await fetch(`${url}/exchange${request.url}`)).text();
    response.setHeader('content-type', 'application/json').end(answer);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Three in each millisecond from now on. */
const deposits = (count: number): SimulatedDeposit[] => {
  const at = clock.now().getTime();
  return Array.from({ length: count }, (_, n) => ({
    id: `L${at + n}`,
    at: at + Math.floor(n / 3),
    note: `NOTE-${n}`,
    amount: '10000',
  }));
};

test('deposits are read completely, over any number of pages', async () => {
  const all = deposits(2_500);
  for (const one of all) await world.records.insert('exchange', 'deposit', one.id, one);
  const { arrived, isWhole } = doneOf(await shopAt(`${url}/exchange`).deposits(clock.now()));
  expect(isWhole).toBe(true);
  expect(arrived.map(({ note }) => note)).toEqual(all.map(({ note }) => note));
});

describe.each([
  ['repeats a page', () => 0, 2],
  ['goes back to an earlier one', (calls: number) => -calls, 2],
  ['comes to no end', (calls: number) => calls * 1000, 100],
])('an exchange that %s', (_, shift, most) => {
  const page = deposits(1_000);

  test('gets a limited number of calls for deposits, and the list counts as cut', async () => {
    let calls = 0;
    const lying = await forging('/open/v1/deposits', () => {
      const by = shift(calls);
      calls += 1;
      return page.map((one) => shownDeposit({ ...one, id: `${one.id}.${by}`, at: one.at + by }));
    });
    const { arrived, isWhole } = doneOf(await shopAt(lying).deposits(clock.now()));
    expect([isWhole, calls]).toEqual([false, most]);
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(arrived.length);
  });

  test('has not proven that a withdrawal never existed', async () => {
    let calls = 0;
    const lying = await forging('/open/v1/withdraws', () => {
      const by = shift(calls);
      calls += 1;
      return page.map(({ id, at, amount }) => {
        const where = { network: 'SOL', address: 'A', fee: '0', status: 10, txId: 'T' };
        const clientId = `${id}.${by}`;
        return shownWithdrawal({ ...where, id: clientId, clientId, at: at + by, amount });
      });
    });
    const sought = { reference: 'MINE', since: clock.now() };
    expect(await shopAt(lying).findWithdrawal(sought)).toMatchObject({ kind: 'unknown' });
    expect(calls).toBeLessThanOrEqual(most);
  });
});
