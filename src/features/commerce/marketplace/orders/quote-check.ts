import { fail, wrongField } from '#kernel/error.ts';
import { isAsset, type Money, money } from '#kernel/money/money.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import type { Offer, Source, Vendor } from '#providers/catalogue/port.ts';
import { marketplacePriceOf, type Price, readRupiahRate } from '../catalogue/price.ts';
import type { MarketDeps } from '../deps.ts';

/** A product as the caller hands it back from a search. Only its id is trusted. */
export interface SubmittedProduct {
  readonly productId?: string | number | undefined;
  readonly id?: string | number | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly image?: string | null | undefined;
  readonly url?: string | undefined;
  readonly source?: Source | undefined;
  readonly vendor?: Partial<Record<keyof Vendor, string | undefined>> | undefined;
  readonly pricing?: SubmittedPricing | undefined;
}

export interface SubmittedPricing {
  readonly price?: string | undefined;
  readonly currency?: string | undefined;
  readonly original_price?: string | undefined;
  readonly original_currency?: string | undefined;
  readonly shipping?: string | undefined;
  readonly total?: string | undefined;
}

/** The ordered offer, at our own price. */
export interface QuotedOffer {
  readonly offer: Offer;
  readonly price: Price;
  /** Whether a catalogue has it; false where mock mode takes the caller's words. */
  readonly isKnown: boolean;
}

const RETRY_S = 5;

/**
 * The product as its marketplace offers it now; a caller's other price is refused. An unknown product cannot be
 * ordered, except in mock mode, which takes the caller's price.
 */
export async function quoteOffer(
  deps: Pick<MarketDeps, 'catalogues' | 'fx' | 'config'>,
  submitted: SubmittedProduct,
): Promise<QuotedOffer> {
  const { productId, id = productId, source = 'marketplace_1' } = submitted;
  if (id === undefined || String(id).trim() === '')
    throw wrongField('product.productId', 'is required');
  const outcome = await deps.catalogues[source].find(String(id));
  if (outcome.kind !== 'done') {
    if (isNotConfigured(outcome)) throw notConfigured('The marketplace');
    throw fail('PROVIDER_UNAVAILABLE', 'The marketplace does not answer at the moment', {
      retryAfter: RETRY_S,
    });
  }
  const isKnown = outcome.value !== undefined;
  if (!isKnown && !deps.config.MOCK_MODE) throw fail('NOT_FOUND', 'Product not found');
  const offer = outcome.value ?? offerOfCaller(submitted, String(id), source);
  if (offer.stock < 1) throw fail('CONFLICT', 'The product is sold out');
  const fx = offer.price.asset === 'IDR' ? await readRupiahRate(deps.fx) : undefined;
  const price = marketplacePriceOf(offer, fx);
  if (isKnown) refuseOtherPrice(submitted.pricing ?? {}, price);
  return { offer, price, isKnown };
}

/** How far rates may move between a search and an order, in percent. */
const MOVED_MAX = 3n;

/** Exact in the shop's own currency; within MOVED_MAX in dollars that were converted from rupiah. */
function refuseOtherPrice(given: SubmittedPricing, price: Price): void {
  const { original, usd, shipping, total, fx } = price;
  const isOther = (text: string | undefined, currency: string, ours: Money) => {
    if (text === undefined || currency !== ours.asset) return false;
    const { units } = readMoney(text, ours.asset);
    const apart = units > ours.units ? units - ours.units : ours.units - units;
    const allowed = fx && ours.asset === 'USD' ? (ours.units * MOVED_MAX) / 100n + 1n : 0n;
    return apart > allowed;
  };
  const currency = given.currency ?? 'USD';
  const others = [
    isOther(given.original_price, given.original_currency ?? original.asset, original),
    isOther(given.price, currency, currency === 'IDR' ? original : usd),
    isOther(given.shipping, currency, shipping),
    isOther(given.total, currency, total),
  ];
  if (others.includes(true))
    throw fail('PRICE_CHANGED', 'The product has another price: search for it again');
}

/** Text that is no price, or has more decimals than cents, is another price. */
function readMoney(text: string, asset: Money['asset']): Money {
  try {
    return money(asset, text);
  } catch {
    throw fail('PRICE_CHANGED', 'The product has another price: search for it again');
  }
}

/** In mock mode, as the caller describes it. */
function offerOfCaller(submitted: SubmittedProduct, id: string, source: Source): Offer {
  const { title, description = '', image, url = '', vendor = {}, pricing = {} } = submitted;
  const currency = pricing.original_currency ?? pricing.currency ?? 'USD';
  const given = pricing.original_price ?? pricing.price ?? pricing.total;
  if (!title) throw wrongField('product.title', 'is required');
  if (given === undefined) throw wrongField('product.pricing.price', 'is required');
  if (!isAsset(currency) || (currency !== 'USD' && currency !== 'IDR'))
    throw wrongField('product.pricing.currency', 'must be USD or IDR');
  const price = money(currency, given);
  if (price.units < 1n) throw wrongField('product.pricing.price', 'must be more than zero');
  const isSame = (pricing.currency ?? 'USD') === currency;
  const { name = '', marketplace = source, shop_name = name, shop_url = '' } = vendor;
  return {
    source,
    id,
    title,
    description,
    url,
    images: image ? [image] : [],
    price,
    shipping: isSame ? money(currency, pricing.shipping ?? '0') : { asset: currency, units: 0n },
    stock: 1,
    vendor: { name, marketplace, shop_name, shop_url },
    tags: [],
  };
}
