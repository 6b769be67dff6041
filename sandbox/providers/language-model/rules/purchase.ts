import type { ModelQuestion } from './asked.ts';
import { languageOf, say } from './language.ts';

const URLS = /\bhttps?:\/\/[^\s<>"'`]+/i;
const BUYING =
  /\b(buy|purchase|order|get me|pay for|check ?out|beli(kan)?|pesan(kan)?|bayar(kan)?|pembelian|checkout)\b/i;
const ASKING =
  /\b(price|cost|how much|what is|info|describe|tell me|harga|berapa|apa itu|jelaskan)\b/i;

/** Whether somebody wants to buy, and what page they named. */
export function purchaseIntent({
  said,
  material,
}: ModelQuestion): Readonly<Record<string, unknown>> {
  const text = said === '' ? material : said;
  const [found] = URLS.exec(text) ?? [];
  // A sentence may end behind it, or a bracket.
  const url = found?.replace(/[.,;:!?)\]}]+$/, '') ?? null;
  const words = text.replace(URLS, ' ');
  const isBuying = BUYING.test(words) || (url !== null && !ASKING.test(words));
  const intent = isBuying ? 'purchase' : ASKING.test(words) ? 'product_info' : 'unknown';
  return { intent, detected_intent: intent, url, detected_url: url, language: languageOf(text) };
}

interface Product {
  readonly title: string;
  readonly price: string;
  readonly description: string;
  readonly site: string;
  readonly usdc: string;
}

/** Some sentences about a product, from what its page says of it. */
export function productSummary(asked: ModelQuestion): string {
  const { title, price, description, site } = readProduct(asked.material);
  const language = languageOf([asked.said, description, title].join(' '));
  const parts = [
    say(language, `${title} is offered`, `${title} ditawarkan`),
    site && say(language, ` by ${site}`, ` oleh ${site}`),
    price && say(language, ` for ${price}`, ` dengan harga ${price}`),
    '.',
    description && ` ${firstSentences(description)}`,
  ];
  return parts.filter(Boolean).join('');
}

/** What a buyer is asked to agree to, with the prices that the platform has worked out. */
export function purchaseConfirmation(asked: ModelQuestion): string {
  const { title, price, usdc, description } = readProduct(asked.material);
  const language = languageOf([asked.said, description, title].join(' '));
  const cost = [price, usdc && `≈ ${usdc}`].filter(Boolean).join(' ');
  return say(
    language,
    `You are about to buy ${title}${cost && ` for ${cost}`}. Is that right? Please tell us who is to receive it.`,
    `Anda akan membeli ${title}${cost && ` seharga ${cost}`}. Apakah sudah benar? Mohon isi data penerima.`,
  );
}

/** Sentences that address the reader, as injected instructions do, are left out. */
const STEERING =
  /\b(ignore|disregard|forget|override|abaikan|lupakan)\b.*\b(instructions?|previous|above|rules|prompt|instruksi|perintah|sebelumnya)\b|\bsystem prompt\b|\byou are now\b|\bas an ai\b/i;

const firstSentences = (text: string): string =>
  text
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !STEERING.test(sentence))
    .slice(0, 2)
    .join(' ')
    .slice(0, 300);

/** The material is JSON where the platform has read a page, else the text of one. */
function readProduct(material: string): Product {
  const fields = flatten(parse(material));
  const of = (...names: string[]): string => {
    const value = names.map((name) => fields.get(name)).find((text) => text !== undefined) ?? '';
    return value.replaceAll(/\s+/g, ' ').trim().slice(0, 500);
  };
  const [line = ''] = material.split('\n').filter((text) => text.trim() !== '');
  const title = of('product.title', 'title') || line.trim().slice(0, 200) || 'This product';
  return {
    title: STEERING.test(title) ? 'This product' : title,
    price: of('pricing.original.formatted', 'product.priceText', 'priceText', 'price'),
    description: of('product.description', 'description'),
    site: of('product.site', 'site'),
    usdc: of('pricing.usdc.formatted', 'usdc.formatted', 'usdc'),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every text and number by its path. */
function flatten(value: unknown, path = '', into = new Map<string, string>()) {
  if (typeof value === 'string' || typeof value === 'number') into.set(path, String(value));
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value).slice(0, 50))
      flatten(inner, path === '' ? name : `${path}.${name}`, into);
  return into;
}
