import { type Described, productIn, withCurrency } from './json-ld.ts';
import type { Item } from './microdata.ts';
import { type PageFacts, readFacts } from './page-facts.ts';

/** A product as its page describes it. All of it is a stranger's text. */
export interface PageProduct {
  readonly title: string;
  /** Nothing where the page names no single price. */
  readonly priceText: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly site: string;
  readonly url: string;
}

const TITLE_MAX = 300;
const PRICE_MAX = 64;
const DESCRIPTION_MAX = 2000;
const SITE_MAX = 100;
const URL_MAX = 2048;

/**
 * Reads a product off its page (docs/design/0049): from JSON-LD, then Open Graph, then microdata, of
 * each fact the first that is there; never from what a page shows or hides in its text. Nothing where
 * there is no title, or where the page is none that a shop would make.
 */
export function readPage(html: string, url: string): PageProduct | undefined {
  const facts = readFacts(html);
  if (!facts) return undefined;
  const ways = [productIn(facts.scripts), openGraph(facts), microdata(facts.items), plain(facts)];
  const all = (fact: keyof Described) => ways.map((way) => way?.[fact]);
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

/** What every page has, products or not. */
const plain = ({ title, meta }: PageFacts): Described => ({
  title,
  description: meta.get('description'),
});

/** One line without what is invisible. */
const lineOf = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim();

/** Cut where it is too long, and not through the middle of a letter. */
function clean(text: string | undefined, max: number): string | undefined {
  const line = lineOf((text ?? '').slice(0, 4 * max)).slice(0, max);
  return line.replace(/[\uD800-\uDBFF]$/, '') || undefined;
}

/** A price that is cut would be another one. */
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
