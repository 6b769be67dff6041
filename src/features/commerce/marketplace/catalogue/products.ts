import { type Static, Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { oneOfWords, TextOrNull } from '#kernel/http/declare/schema.ts';
import { toWire } from '#kernel/money/money.ts';
import { type Offer, SOURCES } from '#providers/catalogue/port.ts';
import { marketplacePriceOf, type RupiahRate } from './price.ts';

const Vendor = named('MarketplaceVendor', {
  name: Type.String(),
  marketplace: Type.String(),
  shop_name: Type.String(),
  shop_url: Type.String(),
  shop_location: Type.Optional(Type.String()),
});

/** Contract part 2, Resources: product (search result). */
export const Product = named('MarketplaceProduct', {
  productId: Type.String(),
  title: Type.String(),
  description: Type.String(),
  image: TextOrNull,
  images: Type.Array(Type.String()),
  source: oneOfWords(SOURCES),
  url: Type.String(),
  vendor: Vendor,
  pricing: Type.Object({
    price: Type.Number(),
    currency: Type.String(),
    original_price: Type.Number(),
    original_currency: Type.Optional(Type.String()),
    shipping: Type.Number(),
    total: Type.Number(),
    fx_rate: Type.Optional(Type.Number()),
  }),
  availability: oneOfWords(['in_stock', 'out_of_stock'] as const),
  metadata: Type.Object({
    rating: Type.Optional(Type.Number()),
    reviews: Type.Optional(Type.Integer()),
    tags: Type.Array(Type.String()),
    sales: Type.Optional(Type.Integer()),
    stock: Type.Integer(),
  }),
});
export type Product = Static<typeof Product>;

/** An offer as callers get it: in dollars, and in the shop's own currency where it differs. */
export function productOf(offer: Offer, fx: RupiahRate | undefined): Product {
  const { id, title, description, images, source, url, vendor, tags, stock } = offer;
  const { original, usd, shipping, total, fx: used } = marketplacePriceOf(offer, fx);
  return {
    productId: id,
    title,
    description,
    source,
    url,
    vendor,
    image: images[0] ?? null,
    images: [...images],
    pricing: {
      price: toWire(usd),
      currency: 'USD',
      original_price: toWire(original),
      ...(used && { original_currency: original.asset, fx_rate: Number(used.rate) }),
      shipping: toWire(shipping),
      total: toWire(total),
    },
    availability: stock > 0 ? 'in_stock' : 'out_of_stock',
    metadata: {
      ...(offer.rating !== undefined && { rating: offer.rating }),
      ...(offer.reviews !== undefined && { reviews: offer.reviews }),
      ...(offer.sold !== undefined && { sales: offer.sold }),
      tags: [...tags],
      stock,
    },
  };
}
