/** A product by one kind of markup. */
export interface Described {
  readonly title?: string | undefined;
  readonly priceText?: string | undefined;
  readonly description?: string | undefined;
  readonly image?: string | undefined;
  readonly site?: string | undefined;
}

/** Schemas nest three or four deep. */
const DEPTH_MAX = 6;
const NODES_MAX = 2000;

type Node = Readonly<Record<string, unknown>>;

/**
 * The first product of a page's JSON-LD that is at the top of a script, in its graph, or the page's main entity. A
 * product that is only listed or related is not the one that the page sells.
 */
export function productIn(scripts: readonly string[]): Described | undefined {
  for (const script of scripts) {
    const product = mainNodes(parsed(script)).find((node) => isA(node, 'Product'));
    if (product) return described(product);
  }
  return undefined;
}

function parsed(script: string): unknown {
  try {
    return JSON.parse(script);
  } catch {
    return undefined;
  }
}

function mainNodes(root: unknown): Node[] {
  const found: Node[] = [];
  let seen = 0;
  const visit = (value: unknown, depth: number): void => {
    seen += 1;
    if (depth > DEPTH_MAX || seen > NODES_MAX) return;
    if (Array.isArray(value)) for (const one of value) visit(one, depth + 1);
    if (!isNode(value)) return;
    found.push(value);
    visit(value['@graph'], depth + 1);
    visit(value['mainEntity'], depth + 1);
  };
  visit(root, 0);
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `Product`, `https://schema.org/Product`, or one of several types. */
const isA = (node: Node, type: string): boolean =>
  listOf(node['@type']).some(
    (name) => typeof name === 'string' && name.replace(/^https?:\/\/schema\.org\//, '') === type,
  );

function described(node: Node): Described {
  return {
    title: textIn(node['name']),
    description: textIn(node['description']),
    image: imageIn(node['image']),
    priceText: priceOf(listOf(node['offers'])),
  };
}

const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};

/** A number as the script has it; undefined where a float would round it to another price. */
function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return undefined;
  const text = String(value);
  return /^\d{1,15}(\.\d+)?$/.test(text) && text.length <= 16 ? text : undefined;
}

function imageIn(value: unknown): string | undefined {
  const [first] = listOf(value);
  return isNode(first) ? textIn(first['url'] ?? first['contentUrl']) : textIn(first);
}

/** Several offers of one price are one price; several prices are ambiguous, and none. */
function priceOf(offers: readonly unknown[]): string | undefined {
  const [price, ...others] = new Set(offers.slice(0, NODES_MAX).map(priceIn));
  return others.length === 0 ? price : undefined;
}

function priceIn(offer: unknown): string | undefined {
  if (!isNode(offer)) return undefined;
  const [specification] = listOf(offer['priceSpecification']);
  const own = isNode(specification) ? specification : {};
  const { price, lowPrice, highPrice } = offer;
  // A range is no price.
  const only = lowPrice === highPrice ? lowPrice : undefined;
  const amount = textIn(price ?? own['price'] ?? only);
  if (amount === undefined) return undefined;
  return withCurrency(amount, textIn(offer['priceCurrency'] ?? own['priceCurrency']));
}

/** The code in front, unless the amount has a sign of its currency. */
export const withCurrency = (amount: string, currency: string | undefined): string =>
  currency === undefined || /[^\d\s.,'’-]/u.test(amount) ? amount : `${currency} ${amount}`;
