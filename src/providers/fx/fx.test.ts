import { beforeEach, describe, expect, it } from 'vitest';
import { fxSimulator } from '#sandbox/providers/fx/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { exchangeRates } from './adapter.ts';
import { rateOf, toTable } from './wire.ts';

const sandbox = await testSandbox(fxSimulator());
const settings = { url: () => `${sandbox.url}/fx`, clock: sandbox.clock };
const open = () => exchangeRates(settings);
const move = (currency: string, rate: string) =>
  sandbox.control('POST /fx/rates', { currency, rate });
const arm = (kind: string, times = 2) =>
  sandbox.control('POST /faults', { provider: 'fx', kind, times, ms: 200 });

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

describe('a market rate', () => {
  it('is exact decimal text with its source and time', async () => {
    expect(await open().rate('USD', 'IDR')).toEqual({
      kind: 'done',
      value: { rate: '15875.5', source: 'coinbase', at: expect.stringMatching(/^20.*Z$/) },
    });
    expect(await open().rate('ETH', 'USD')).toMatchObject({ value: { rate: '2500' } });
    expect(await open().rate('IDRT', 'IDR')).toMatchObject({ value: { rate: '1' } });
    expect(await open().rate('USD', 'POINTS')).toMatchObject({ kind: 'refused', code: 'NO_RATE' });
  });

  it('is fetched again after a minute, once for many callers', async () => {
    const fx = open();
    await Promise.all(Array.from({ length: 20 }, () => fx.rate('USD', 'SGD')));
    await move('SGD', '1.5');
    expect(await fx.rate('USD', 'SGD')).toMatchObject({ value: { rate: '1.3425' } });
    sandbox.clock.advance(61_000);
    expect(await fx.rate('USD', 'SGD')).toMatchObject({ value: { rate: '1.5' } });
  });

  it.each(['refuse', 'drop', 'error', 'delay'])(
    'is the last one known while the provider goes on to %s, for ten minutes',
    async (kind) => {
      const patience = { ...settings, timeoutMs: 60_000 };
      const fx = exchangeRates(patience);
      const known = await fx.rate('USD', 'AUD');
      // From here on a delayed call times out before its answer, even on a slow machine.
      if (kind === 'delay') patience.timeoutMs = 50;
      sandbox.clock.advance(120_000);
      await arm(kind);
      expect(await fx.rate('USD', 'AUD')).toEqual(known);
      sandbox.clock.advance(600_000);
      await sandbox.control('DELETE /faults');
      await arm(kind);
      expect((await fx.rate('USD', 'AUD')).kind).toBe('unknown');
    },
  );

  it('of zero, or of no number, is none', () => {
    const table = toTable({
      data: { currency: 'USD', rates: { ETH: '0', POL: 'x', ADA: '1e9', XRP: '2' } },
    });
    expect(rateOf(table, 'ETH', 'USD')).toBeUndefined();
    expect(rateOf(table, 'POL', 'USD')).toBeUndefined();
    expect(rateOf(table, 'USD', 'ADA')).toBeUndefined();
    expect(rateOf(table, 'XRP', 'USD')).toBe('0.5');
  });
});
