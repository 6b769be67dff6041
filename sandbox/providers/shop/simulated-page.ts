import { escapeHtml } from '#kernel/http/pages/pages.ts';
import type { ShopProduct } from './simulated-products.ts';

const SHOP = 'Sandbox Shop';

/** A shop's page: what it says to people, and what to machines. */
export function productPage(product: ShopProduct, url: string): string {
  const { title, description, priceText, markup, lang = 'en' } = product;
  const isMicro = markup === 'microdata' || markup === 'all';
  return simulatedShopPageOf({
    lang,
    title: `${title} | ${SHOP}`,
    head: headOf(product, url),
    body: isMicro
      ? microdata(product, url)
      : `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p>
<p class="price">${escapeHtml(priceText)}</p><button>${lang === 'id' ? 'Beli' : 'Buy'}</button>`,
  });
}

/** Any page of the shop. `head` and `body` are HTML already. */
export const simulatedShopPageOf = ({
  lang = 'en',
  title,
  head = '',
  body = '',
}: {
  readonly lang?: string;
  readonly title: string;
  readonly head?: string;
  readonly body?: string;
}): string => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
<nav><a href="/shop/products">${SHOP}</a></nav>
<main>
${body}
</main>
<aside><h2>Others also bought</h2><p>Gift card, $50.00</p></aside>
</body>
</html>
`;

function headOf(product: ShopProduct, url: string): string {
  const { markup } = product;
  const head = [`<meta name="description" content="${escapeHtml(product.description)}">`];
  if (markup === 'open-graph' || markup === 'all') head.push(openGraph(product, url));
  if (markup === 'json-ld' || markup === 'all') head.push(script(schemaOf(product, url)));
  if (markup === 'graph')
    head.push(
      script({
        '@context': 'https://schema.org',
        '@graph': [
          { '@type': 'WebSite', name: SHOP },
          { '@type': 'ItemPage', mainEntity: schemaOf(product, url) },
        ],
      }),
    );
  return head.join('\n');
}

const imageOf = (url: string): string => `${url}.png`;

export const schemaOf = (
  { title, description, price, currency }: Omit<ShopProduct, 'priceText' | 'markup' | 'slug'>,
  url: string,
) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: title,
  description,
  image: [imageOf(url)],
  url,
  offers: { '@type': 'Offer', price, priceCurrency: currency, availability: 'InStock' },
});

/** JSON within HTML: no `<` of it may end the script. */
export const script = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

const openGraph = ({ title, description, price, currency }: ShopProduct, url: string): string =>
  Object.entries({
    'og:type': 'product',
    'og:site_name': SHOP,
    'og:title': title,
    'og:description': description,
    'og:image': imageOf(url),
    'product:price:amount': price,
    'product:price:currency': currency,
  })
    .map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`)
    .join('\n');

const microdata = ({ title, description, priceText, currency }: ShopProduct, url: string): string =>
  `<article itemscope itemtype="https://schema.org/Product">
<h1 itemprop="name">${escapeHtml(title)}</h1>
<img itemprop="image" src="${escapeHtml(imageOf(url))}" alt="">
<p itemprop="description">${escapeHtml(description)}</p>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<span itemprop="price">${escapeHtml(priceText)}</span>
<meta itemprop="priceCurrency" content="${currency}">
</div>
</article>`;
