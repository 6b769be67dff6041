import { beforeEach, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { hearingWaits } from '#kernel/retry-after.ts';
import { etsySimulator } from '#sandbox/providers/catalogue/etsy-simulator.ts';
import { pasarSimulator } from '#sandbox/providers/catalogue/pasar-simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { etsyCatalogue } from './etsy/adapter.ts';
import { pasarCatalogue } from './pasar/adapter.ts';

const config = loadConfig({ NODE_ENV: 'test' });
const { url, control } = await testSandbox(etsySimulator(config), pasarSimulator(config));
const { MARKETPLACE_1_KEY, MARKETPLACE_2_KEY } = config;
const etsy = etsyCatalogue({ url: () => `${url}/marketplace-1`, key: MARKETPLACE_1_KEY });
const pasar = pasarCatalogue({ url: () => `${url}/marketplace-2`, key: MARKETPLACE_2_KEY });

beforeEach(() => control('DELETE /faults'));

const CALLS = [
  ['marketplace-1', () => etsy.search('lamp', 5)],
  ['marketplace-1', () => etsy.find('1')],
  ['marketplace-2', () => pasar.search('lampu', 5)],
] as const;

test.each(CALLS)(
  '%s that throttles is left alone for as long as it says',
  async (provider, call) => {
    await control('POST /faults', { provider, times: 10, kind: 'throttle', retry_after: 90 });
    const run = hearingWaits<unknown>(call);
    expect(await run.ended).toMatchObject({ kind: 'unknown' });
    expect(run.waitMs()).toBe(90_000);
  },
);
