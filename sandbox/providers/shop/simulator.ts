import type { FastifyInstance } from 'fastify';
import { format } from '#kernel/money/money.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { HOSTILE } from './simulated-hostile.ts';
import { productPage, script, simulatedShopPageOf } from './simulated-page.ts';
import { PRODUCTS, type ShopProduct } from './simulated-products.ts';

const PREFIX = '/shop';

/** A web shop with real pages to buy from, some that are not maintained, and some that mean no good. */
export const shopSimulator = (): Simulator => ({
  provider: 'shop',
  prefix: PREFIX,
  wire(server, world) {
    const base = () => `${world.sandboxUrl()}${PREFIX}`;
    productPages(server, base);
    lampPages(server, base);
    redirects(server, base);
    for (const [name, page] of Object.entries(HOSTILE))
      server.get(`/hostile/${name}`, async (_, reply) => page(reply, `${base()}/hostile/${name}`));
    for (const [name, text] of Object.entries(BROKEN))
      server.get(`/broken/${name}`, async (_, reply) => reply.type('text/html').send(text));
  },
  controls(server, world) {
    listControl(server, world);
  },
});

const addressOf = (base: string, { slug }: ShopProduct): string => `${base}/p/${slug}`;

function productPages(server: FastifyInstance, base: () => string): void {
  server.get<{ Params: { slug: string } }>('/p/:slug', async ({ params }, reply) => {
    const product = PRODUCTS.find(({ slug }) => slug === params.slug);
    reply.type('text/html; charset=utf-8');
    if (!product) return reply.code(404).send(simulatedShopPageOf({ title: 'Not found' }));
    return productPage(product, addressOf(base(), product));
  });
}

/** `/shop/lamps/1234` sells a lamp for 12.34 dollars: a page for any price. */
function lampPages(server: FastifyInstance, base: () => string): void {
  server.get<{ Params: { cents: string } }>('/lamps/:cents', async ({ params }, reply) => {
    reply.type('text/html; charset=utf-8');
    if (!/^[1-9]\d{0,8}$/.test(params.cents))
      return reply.code(404).send(simulatedShopPageOf({ title: 'Not found' }));
    const price = format({ asset: 'USD', units: BigInt(params.cents) });
    const lamp: ShopProduct = {
      slug: params.cents,
      title: `Lamp ${params.cents}`,
      description: 'A lamp.',
      priceText: `$${price}`,
      price,
      currency: 'USD',
      markup: 'json-ld',
    };
    return productPage(lamp, `${base()}/lamps/${params.cents}`);
  });
}

const REDIRECTS_MAX = 20;

/** `/shop/redirect/3/desk-lamp` comes to the lamp by three redirects. */
function redirects(server: FastifyInstance, base: () => string): void {
  server.get<{ Params: { times: string; slug: string } }>(
    '/redirect/:times/:slug',
    async ({ params: { times, slug } }, reply) => {
      const left = Math.min(Number(times) - 1, REDIRECTS_MAX);
      const next = left > 0 ? `redirect/${left}/${slug}` : `p/${slug}`;
      return reply.redirect(`${base()}/${next}`, 302);
    },
  );
}

function listControl(server: FastifyInstance, world: World): void {
  server.get(`${PREFIX}/products`, async () =>
    PRODUCTS.map((product) => ({
      url: addressOf(`${world.sandboxUrl()}${PREFIX}`, product),
      title: product.title,
      price: product.price,
      currency: product.currency,
    })),
  );
}

/** Pages as they are found: without a price, half written, or saying several things. */
const BROKEN: Readonly<Record<string, string>> = {
  'no-price': simulatedShopPageOf({
    title: 'Vase',
    head: script({ '@type': 'Product', name: 'Vase' }),
  }),
  'bad-json': simulatedShopPageOf({
    title: 'Vase',
    head: '<script type="application/ld+json">{"@type": "Product", "name": "Vase"</script>',
  }),
  range: simulatedShopPageOf({
    title: 'Vase',
    head: script({
      '@type': 'Product',
      name: 'Vase',
      offers: {
        '@type': 'AggregateOffer',
        lowPrice: '5.00',
        highPrice: '50.00',
        priceCurrency: 'USD',
      },
    }),
  }),
  'no-currency': simulatedShopPageOf({
    title: 'Vase',
    head: script({ '@type': 'Product', name: 'Vase', offers: { '@type': 'Offer', price: '5' } }),
  }),
  ambiguous: simulatedShopPageOf({
    title: 'Vase',
    head: '<meta property="og:price:amount" content="$1.234">',
  }),
  'cut-off': '<!doctype html><html><head><title>Vase</title><script type="application/ld+json">{"',
};
