// Long: chains stand still and fall silent.

import { expect, test } from 'vitest';
import type { MeasuredChain } from '#chains/port.ts';
import { createClock } from '#kernel/clock.ts';
import { done, unknown } from '#kernel/effects/outcome.ts';
import { createMetrics } from '#kernel/metrics.ts';
import { type Harness, harness } from '#test/harness.ts';
import { measureChains } from './chain-metrics.ts';
import { measureWallets } from './wallet-metrics.ts';

const clock = createClock();

/** Somebody else's chain, whose newest block is that old. */
const standing = (key: string, ageS: number): MeasuredChain => ({
  key,
  native: 'ADA',
  isOwn: false,
  addressForm: '',
  typedAddress: async (text) => text,
  isRunning: () => true,
  head: async () => done({ height: 7, at: new Date(clock.now().getTime() - ageS * 1000) }),
  ownBalances: async () => done([]),
});

async function told(...chains: MeasuredChain[]): Promise<string[]> {
  const metrics = createMetrics();
  measureChains({ metrics, clock }, chains);
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('archipay_chain_'));
}

test('a chain that stands still is told by the age of its newest block', async () => {
  const [up, height, lag = ''] = await told(standing('still', 300));
  expect([up, height]).toEqual([
    'archipay_chain_up{chain="still"} 1',
    'archipay_chain_height{chain="still"} 7',
  ]);
  const [, seconds] = /^archipay_chain_lag_seconds\{chain="still"\} (\d+)$/.exec(lag) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(300);
});

test('one that says nothing is away, and keeps nobody waiting for the others', async () => {
  const away = { ...standing('away', 0), head: async () => unknown('away') };
  const silent = { ...standing('silent', 0), head: () => new Promise<never>(() => undefined) };
  const own = { ...standing('own', 0), isOwn: true };
  await expect
    .poll(() => told(away, silent, own))
    .toEqual([
      'archipay_chain_up{chain="away"} 0',
      'archipay_chain_up{chain="silent"} 0',
      'archipay_chain_up{chain="own"} 1',
      'archipay_chain_height{chain="own"} 7',
    ]);
});

/** What `/metrics` says by now: a chain that was too slow for one look is asked again later. */
const figures = async (h: Harness, of: RegExp) =>
  (await (await fetch(new URL('/metrics', h.app.apiUrl()))).text()).match(of) ?? [];

test('the chains that a service uses are measured, and no other is begun for it', async () => {
  const h = await harness();
  await h.app.cardano.supply();
  await h.app.xrpl.balance();
  await expect
    .poll(() => figures(h, /^archipay_chain_up.*$/gm))
    .toEqual(['archipay_chain_up{chain="cardano"} 1', 'archipay_chain_up{chain="xrpl"} 1']);
  const wallets = /^archipay_hot_wallet_balance\{chain="cardano".*$/gm;
  await expect.poll(() => figures(h, wallets)).toHaveLength(2);
  for (const line of await figures(h, wallets)) expect(line).toContain('wallet="treasury"');
});

test('what the platform has on a chain is told by wallet, and nothing of one that is silent', async () => {
  const rich: MeasuredChain = {
    ...standing('rich', 0),
    ownBalances: async () => done([{ wallet: 'hot', asset: 'native', amount: 0.25 }]),
  };
  const silent = { ...rich, key: 'silent', ownBalances: () => new Promise<never>(() => undefined) };
  const away = { ...rich, key: 'away', ownBalances: async () => unknown('away') };
  const idle = { ...rich, key: 'idle', isRunning: () => false };
  const metrics = createMetrics();
  measureWallets(metrics, [silent, away, idle, rich]);
  const lines = (await metrics.registry.metrics()).match(/^archipay_hot_wallet_balance\{.*$/gm);
  expect(lines).toEqual([
    'archipay_hot_wallet_balance{chain="rich",wallet="hot",asset="native"} 0.25',
  ]);
});

test('what the platform pays from on the XRP Ledger is told by its accounts', async () => {
  const h = await harness();
  const ready = await h.app.xrpl.prepare();
  expect(ready.kind).toBe('done');
  const wallets = /^archipay_hot_wallet_balance\{chain="xrpl".*$/gm;
  await expect.poll(() => figures(h, wallets)).toHaveLength(3);
  const told = (await figures(h, wallets)).map((line) =>
    /wallet="(\w+)",asset="(\w+)"\} (\S+)$/.exec(line)?.slice(1),
  );
  expect(told.map((one) => one?.slice(0, 2))).toEqual([
    ['issuer', 'native'],
    ['platform', 'native'],
    ['platform', 'USDC'],
  ]);
  for (const [, asset, amount] of told as [string, string, string][])
    if (asset === 'native') expect(Number(amount)).toBeGreaterThan(1);
});
