import { type Described, productIn, withCurrency } from './json-ld.ts';
import type { Item } from './microdata.ts';
import type { PageProduct } from './port.ts';
import { type PageFacts, readFacts } from './wire.ts';

const TITLE_MAX = 300;
const PRICE_MAX = 64;
const DESCRIPTION_MAX = 2000;
const SITE_MAX = 100;
const URL_MAX = 2048;

/**
 * Reads a product off its page (docs/design/commerce.md#49): from JSON-LD, then Open Graph, then microdata, each fact
 * from the first that has it; never from text that a page shows or hides. Undefined where there is no title, or the
 * page is larger or deeper than a shop's.
 */
export function readPage(html: string, url: string): PageProduct | undefined {
  const facts = readFacts(html);
  if (!facts) return undefined;
  const sources = [
    productIn(facts.scripts),
    openGraph(facts),
    microdata(facts.items),
    plain(facts),
  ];
  const all = (fact: keyof Described) => sources.map((source) => source?.[fact]);
  const first = (fact: keyof Described, max: number): string | undefined =>
    all(fact)
      .map((text) => clean(text, max))
      .find(Boolean);
  const title = first('title', TITLE_MAX);
  if (title === undefined) return undefined;
  return {
    title,
    priceText: all('priceText').map(uncut).find(Boolean) ?? null,
    description: first('description', DESCRIPTION_MAX) ?? null,
    image: addressOf(first('image', URL_MAX), url),
    site: first('site', SITE_MAX) ?? new URL(url).hostname.replace(/^www\./, ''),
    url,
  };
}

function openGraph({ meta }: PageFacts): Described {
  const amount = meta.get('product:price:amount') ?? meta.get('og:price:amount');
  const currency = meta.get('product:price:currency') ?? meta.get('og:price:currency');
  return {
    title: meta.get('og:title'),
    priceText: amount === undefined ? undefined : withCurrency(amount.trim(), currency?.trim()),
    description: meta.get('og:description'),
    image: meta.get('og:image:secure_url') ?? meta.get('og:image'),
    site: meta.get('og:site_name'),
  };
}

function microdata(items: readonly Item[]): Described | undefined {
  const product = items.find(({ type }) => /^https?:\/\/schema\.org\/Product$/.test(type));
  if (!product) return undefined;
  const offer = product.props.get('offers');
  const within = typeof offer === 'object' ? offer : product;
  const amount = textOf(within, 'price');
  return {
    title: textOf(product, 'name'),
    priceText:
      amount === undefined
        ? undefined
        : withCurrency(amount.trim(), textOf(within, 'priceCurrency')?.trim()),
    description: textOf(product, 'description'),
    image: textOf(product, 'image'),
  };
}

function textOf({ props }: Item, name: string): string | undefined {
  const value = props.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** The facts that every page has. */
const plain = ({ title, meta }: PageFacts): Described => ({
  title,
  description: meta.get('description'),
});

/** One line without invisible characters. */
const lineOf = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim();

/** Cut to `max`, and not through the middle of a letter. */
function clean(text: string | undefined, max: number): string | undefined {
  const line = lineOf((text ?? '').slice(0, 4 * max)).slice(0, max);
  return line.replace(/[\uD800-\uDBFF]$/, '') || undefined;
}

/** Never cut: a cut price would be another price. */
function uncut(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 4 * PRICE_MAX) return undefined;
  const line = lineOf(text);
  return line.length <= PRICE_MAX ? line || undefined : undefined;
}

function addressOf(image: string | undefined, page: string): string | null {
  if (image === undefined || !URL.canParse(image, page)) return null;
  const { protocol, href } = new URL(image, page);
  return /^https?:$/.test(protocol) && href.length <= URL_MAX ? href : null;
}
