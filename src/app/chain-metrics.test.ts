import { expect, test } from 'vitest';
import type { Chain } from '#chains/port.ts';
import { createClock } from '#kernel/clock.ts';
import { done, unknown } from '#kernel/effects/outcome.ts';
import { createMetrics } from '#kernel/metrics.ts';
import { harness } from '#test/harness.ts';
import { measureChains } from './chain-metrics.ts';

const clock = createClock();

/** Somebody else's chain, whose newest block is that old. */
const standing = (key: string, ageS: number): Chain => ({
  ...{ key, native: 'ADA', isOwn: false, addressForm: '' },
  typedAddress: async (text) => text,
  isRunning: () => true,
  head: async () => done({ height: 7, at: new Date(clock.now().getTime() - ageS * 1000) }),
});

async function told(...chains: Chain[]): Promise<string[]> {
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
  const lines = await told(away, silent, { ...standing('own', 0), isOwn: true });
  expect(lines).toEqual([
    'archipay_chain_up{chain="away"} 0',
    'archipay_chain_up{chain="silent"} 0',
    'archipay_chain_up{chain="own"} 1',
    'archipay_chain_height{chain="own"} 7',
  ]);
});

test('the chains that a service uses are measured, and no other is begun for it', async () => {
  const h = await harness();
  await h.app.cardano.supply();
  await h.app.xrpl.balance();
  const reply = await fetch(new URL('/metrics', h.app.apiUrl()));
  const up = (await reply.text()).match(/^archipay_chain_up.*$/gm);
  expect(up).toEqual(['archipay_chain_up{chain="cardano"} 1', 'archipay_chain_up{chain="xrpl"} 1']);
});
