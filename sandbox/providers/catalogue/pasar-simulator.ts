import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { WireProduct } from '#providers/catalogue/pasar/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { productControl } from './simulated-control.ts';
import { type Changed, changesOf, type Good, INDONESIAN, searchGoods } from './simulated-goods.ts';

const PROVIDER = 'marketplace-2';
/** What a dollar buys in these shops, about. */
const RUPIAH_FOR_CENT = 150;
const CITIES = ['Jakarta', 'Bandung', 'Yogyakarta', 'Surabaya', 'Denpasar', 'Medan'];

const Search = Type.Object({
  q: Type.Optional(Type.String()),
  per_page: Type.Optional(Type.String({ pattern: '^\\d{1,2}$' })),
  page: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,3}$' })),
});

/** Plays an Indonesian marketplace: products with their shops, in whole rupiah. */
export const pasarSimulator = ({
  MARKETPLACE_2_KEY: key,
}: Pick<Config, 'MARKETPLACE_2_KEY'>): Simulator => ({
  provider: PROVIDER,
  prefix: '/marketplace-2',
  wire(server, world) {
    server.addHook('preHandler', async ({ headers }, reply) => {
      if (!sameSecret(String(headers.authorization ?? ''), `Bearer ${key}`))
        return problem(reply, 401, 'UNAUTHORIZED');
    });
    productEndpoints(server, world);
  },
  controls: (server, world) =>
    productControl(server, world, {
      provider: PROVIDER,
      path: '/marketplace-2/products/:id',
      has: (id) => INDONESIAN.some(({ number }) => idOf(number) === id),
    }),
});

const problem = (reply: FastifyReply, status: number, code: string) =>
  reply.code(status).send({ error: { code } });

function productEndpoints(server: FastifyInstance, world: World): void {
  server.get('/v1/products', async ({ query }, reply) => {
    if (!Value.Check(Search, query)) return problem(reply, 400, 'INVALID_PARAMETERS');
    const { q = '', per_page = '20', page = '1' } = query;
    const size = Number(per_page);
    const found = searchGoods(await current(world), q);
    const products = found.slice((Number(page) - 1) * size, Number(page) * size).map(shown);
    return { data: { total: found.length, products } };
  });

  server.get<{ Params: { id: string } }>('/v1/products/:id', async ({ params }, reply) => {
    const good = (await current(world)).find(({ number }) => idOf(number) === params.id);
    return good ? { data: { product: shown(good) } } : problem(reply, 404, 'NOT_FOUND');
  });
}

const idOf = (number: number): string => `PSR-${10_000 + number * 3}`;

interface Priced extends Good {
  readonly rupiah: number;
}

async function current({ records }: World): Promise<Priced[]> {
  const changes = await changesOf(records, PROVIDER);
  return INDONESIAN.map((good) => withChange(good, changes.get(idOf(good.number))));
}

const withChange = (good: Good, { price, ...change }: Changed = {}): Priced => ({
  ...good,
  ...change,
  rupiah: price ?? roundly(good.cents * RUPIAH_FOR_CENT),
});

/** Shops price by the half thousand. */
const roundly = (rupiah: number): number => Math.round(rupiah / 500) * 500;

function shown(good: Priced): WireProduct {
  const { number, title, description, shop, stock, category } = good;
  return {
    id: idOf(number),
    name: title,
    description,
    price: good.rupiah,
    stock,
    url: `https://www.pasar.example/p/${idOf(number)}`,
    images: [1, 2].map((rank) => `https://img.pasar.example/${idOf(number)}-${rank}.jpg`),
    category: { name: category },
    shop: {
      name: `Toko ${shop}`,
      owner: `CV Pengrajin ${shop}`,
      city: CITIES[shop % CITIES.length] ?? 'Jakarta',
      url: `https://www.pasar.example/toko-${shop}`,
    },
    rating: { average: good.rating, count: good.reviews },
    sold: good.sold,
    shipping: { flat_rate: roundly(good.shippingCents * RUPIAH_FOR_CENT * 0.4) },
  };
}
