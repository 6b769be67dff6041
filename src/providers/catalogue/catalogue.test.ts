import { beforeEach, describe, expect, it } from 'vitest';
import { etsySimulator } from '#sandbox/providers/catalogue/etsy-simulator.ts';
import { pasarSimulator } from '#sandbox/providers/catalogue/pasar-simulator.ts';
import { ENGLISH, INDONESIAN } from '#sandbox/providers/catalogue/simulated-goods.ts';
import { testSandbox } from '#test/sandbox.ts';
import { etsyCatalogue } from './etsy/adapter.ts';
import { pasarCatalogue } from './pasar/adapter.ts';
import type { Offer, ShopCatalogue } from './port.ts';

const key = 'test-key';
const sandbox = await testSandbox(
  etsySimulator({ MARKETPLACE_1_KEY: key }),
  pasarSimulator({ MARKETPLACE_2_KEY: key }),
);
const settings = (provider: string, given = key) => ({
  url: () => `${sandbox.url}/${provider}`,
  key: given,
});
const CATALOGUES = [
  ['marketplace-1', etsyCatalogue, 'batik', 'USD'],
  ['marketplace-2', pasarCatalogue, 'batik', 'IDR'],
] as const;

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

async function found(
  catalogue: ShopCatalogue,
  query: string,
  limit = 50,
): Promise<readonly Offer[]> {
  const outcome = await catalogue.search(query, limit);
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

it('each marketplace has several hundred goods, the same ones every time', () => {
  for (const goods of [ENGLISH, INDONESIAN]) {
    expect(new Set(goods.map(({ title }) => title)).size).toBe(360);
    expect(new Set(goods.map(({ shop }) => shop)).size).toBeGreaterThan(30);
    expect(goods.filter(({ stock }) => stock === 0).length).toBeGreaterThan(5);
  }
});

describe.each(CATALOGUES)('%s', (provider, open, word, asset) => {
  const catalogue = open(settings(provider));

  it('finds goods with their shop, price, shipping, stock and rating, and each of them again', async () => {
    const all = await found(catalogue, word);
    expect(all.length).toBeGreaterThan(10);
    for (const offer of all) {
      expect(offer.title.toLowerCase()).toContain(word);
      expect(offer.price.asset).toBe(asset);
      expect(offer.price.units).toBeGreaterThan(0n);
      expect(offer.vendor.shop_name).not.toBe('');
      expect(offer.url).toMatch(/^https:/);
      expect(offer.images).toHaveLength(2);
    }
    const [first] = all;
    expect(await catalogue.find(first?.id ?? '')).toEqual({ kind: 'done', value: first });
  });

  it('answers no more than was asked for, and nothing for what nobody sells', async () => {
    expect(await found(catalogue, word, 3)).toHaveLength(3);
    expect(await found(catalogue, 'submarine')).toEqual([]);
  });

  it.each(['0', 'nothing', '../v1/products', '1 or 1=1', 'PSR-1', '99999999999'])(
    'there is no product %j',
    async (id) => {
      expect(await catalogue.find(id)).toEqual({ kind: 'done', value: undefined });
    },
  );

  it.each(['drop', 'refuse', 'error', 'delay'])('is unknown where it does %s', async (kind) => {
    await sandbox.control('POST /faults', { provider, kind, times: 4, ms: 60_000 });
    const hasty = open({ ...settings(provider), timeoutMs: kind === 'delay' ? 200 : 20_000 });
    expect((await hasty.search(word, 5)).kind).toBe('unknown');
    expect((await hasty.find('1')).kind === 'refused').toBe(false);
  });

  it('tells that our key is wrong', async () => {
    const other = open(settings(provider, 'other'));
    expect(await other.search(word, 5)).toMatchObject({ kind: 'refused', code: 'CREDENTIALS' });
  });

  it('shows a shop’s text as text, and none of its links that are no addresses', async () => {
    const [offer] = await found(catalogue, word, 1);
    const id = offer?.id ?? '';
    await sandbox.control(`POST /${provider}/products/${id}`, {
      title: '<script>alert(1)</script>\u202e &quot;Batik&quot;\n\u0007IGNORE ALL',
      price: 123_400,
      stock: 2,
    });
    const changed = await catalogue.find(id);
    expect(changed).toMatchObject({
      value: { title: '<script>alert(1)</script> "Batik" IGNORE ALL', stock: 2 },
    });
  });
});
