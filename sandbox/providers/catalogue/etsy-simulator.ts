import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { INCLUDES, type WireListing } from '#providers/catalogue/etsy/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { productControl } from './simulated-control.ts';
import { type Changed, changesOf, ENGLISH, type Good, searchGoods } from './simulated-goods.ts';

const PROVIDER = 'marketplace-1';
/** Etsy's own ids are large numbers. */
const FIRST_ID = 1_480_000_000;
const SHOP_PLACES = ['US', 'GB', 'ID', 'DE', 'AU'];
const BATCH_MAX = 100;

const Search = Type.Object({
  keywords: Type.Optional(Type.String()),
  limit: Type.Optional(Type.String({ pattern: '^\\d{1,3}$' })),
  offset: Type.Optional(Type.String({ pattern: '^\\d{1,5}$' })),
});
const Batch = Type.Object({
  listing_ids: Type.String({ pattern: '^\\d+(,\\d+)*$' }),
  includes: Type.Optional(Type.String()),
});

/** Plays Etsy's Open API v3: active listings with their shops, images and shipping, in USD. */
export const etsySimulator = ({
  MARKETPLACE_1_KEY: key,
}: Pick<Config, 'MARKETPLACE_1_KEY'>): Simulator => ({
  provider: PROVIDER,
  prefix: '/marketplace-1',
  wire(server, world) {
    server.addHook('preHandler', async ({ headers }, reply) => {
      const given = String(headers['x-api-key'] ?? '');
      if (given === '') return problem(reply, 401, 'API Key is required for this request');
      if (!sameSecret(given, key)) return problem(reply, 403, 'API key not found or not active');
    });
    searchEndpoint(server, world);
    listingEndpoints(server, world);
  },
  controls: (server, world) =>
    productControl(server, world, {
      provider: PROVIDER,
      path: '/marketplace-1/products/:id',
      has: (id) => ENGLISH.some(({ number }) => idOf(number) === id),
    }),
});

const problem = (reply: FastifyReply, status: number, error: string) =>
  reply.code(status).send({ error });

function searchEndpoint(server: FastifyInstance, world: World): void {
  server.get('/v3/application/listings/active', async ({ query }, reply) => {
    if (!Value.Check(Search, query)) return problem(reply, 400, 'Invalid parameters');
    const { keywords = '', limit = '25', offset = '0' } = query;
    const most = Number(limit);
    if (most < 1 || most > 100) return problem(reply, 400, 'limit must be between 1 and 100');
    const active = (await current(world)).filter(({ stock }) => stock > 0);
    const found = searchGoods(active, keywords);
    const page = found.slice(Number(offset), Number(offset) + most);
    return { count: found.length, results: page.map((good) => bare(good)) };
  });
}

function listingEndpoints(server: FastifyInstance, world: World): void {
  server.get('/v3/application/listings/batch', async ({ query }, reply) => {
    if (!Value.Check(Batch, query)) return problem(reply, 400, 'Invalid parameters');
    const ids = query.listing_ids.split(',');
    if (ids.length > BATCH_MAX) return problem(reply, 400, 'Too many listing ids');
    const goods = (await current(world)).filter(({ number }) => ids.includes(idOf(number)));
    return { count: goods.length, results: goods.map((good) => shown(good, query.includes)) };
  });

  server.get<{ Params: { id: string }; Querystring: Pick<Static<typeof Batch>, 'includes'> }>(
    '/v3/application/listings/:id',
    async ({ params, query }, reply) => {
      const good = (await current(world)).find(({ number }) => idOf(number) === params.id);
      if (good === undefined) return problem(reply, 404, 'Could not find a Listing with that id');
      return shown(good, query.includes);
    },
  );
}

const idOf = (number: number): string => String(FIRST_ID + number * 7);

async function current({ records }: World): Promise<Good[]> {
  const changes = await changesOf(records, PROVIDER);
  return ENGLISH.map((good) => withChange(good, changes.get(idOf(good.number))));
}

const withChange = (good: Good, { price, ...change }: Changed = {}): Good => ({
  ...good,
  ...change,
  ...(price !== undefined && { cents: price }),
});

const usd = (amount: number) => ({ amount, divisor: 100, currency_code: 'USD' });

/** What a search answers: no shop, images or shipping. */
const bare = ({ number, title, description, tags, cents, stock, shop }: Good) => ({
  listing_id: Number(idOf(number)),
  user_id: 5000 + shop,
  shop_id: 9000 + shop,
  title,
  description,
  state: stock > 0 ? 'active' : 'sold_out',
  quantity: stock,
  url: `https://www.etsy.example/listing/${idOf(number)}`,
  tags: [...tags],
  price: usd(cents),
});

function shown(good: Good, includes = ''): WireListing {
  const wants = (name: string) =>
    INCLUDES.split(',').includes(name) && includes.split(',').includes(name);
  const { number, shop } = good;
  return {
    ...bare(good),
    ...(wants('Images') && {
      images: [1, 2].map((rank) => ({
        url_fullxfull: `https://i.etsy.example/${idOf(number)}-${rank}.jpg`,
        rank,
      })),
    }),
    ...(wants('Shop') && {
      shop: {
        shop_id: 9000 + shop,
        shop_name: `Workshop${shop}`,
        title: `Workshop No. ${shop}`,
        url: `https://www.etsy.example/shop/Workshop${shop}`,
        review_average: good.rating,
        review_count: good.reviews,
        transaction_sold_count: good.sold,
        shop_location_country_iso: SHOP_PLACES[shop % SHOP_PLACES.length] ?? null,
      },
    }),
    ...(wants('Shipping') && {
      shipping_profile: {
        shipping_profile_destinations: [
          { primary_cost: usd(good.shippingCents), destination_country_iso: '' },
        ],
      },
    }),
  };
}
