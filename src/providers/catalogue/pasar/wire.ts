import { type Static, Type } from 'typebox';
import { type Money, SCALE } from '#kernel/money/money.ts';
import type { Offer } from '../port.ts';
import { linkOf, plain } from '../text.ts';

/** Whole rupiah, as shops in Indonesia write prices. */
const Rupiah = Type.Integer({ minimum: 0, maximum: 1e12 });

/** Catalogues as Indonesian marketplaces offer them to partners; the shape is ours. */
export const WireProduct = Type.Object({
  id: Type.String({ pattern: '^[A-Z0-9-]{3,40}$' }),
  name: Type.String(),
  description: Type.String(),
  price: Rupiah,
  stock: Type.Integer({ minimum: 0 }),
  url: Type.String(),
  images: Type.Array(Type.String()),
  category: Type.Object({ name: Type.String() }),
  shop: Type.Object({
    name: Type.String(),
    owner: Type.String(),
    city: Type.String(),
    url: Type.String(),
  }),
  rating: Type.Object({
    average: Type.Number({ minimum: 0, maximum: 5 }),
    count: Type.Integer({ minimum: 0 }),
  }),
  sold: Type.Integer({ minimum: 0 }),
  shipping: Type.Object({ flat_rate: Rupiah }),
});
export type WireProduct = Static<typeof WireProduct>;

export const WireSearch = Type.Object({
  data: Type.Object({
    total: Type.Integer({ minimum: 0 }),
    products: Type.Array(Type.Unknown()),
  }),
});
export const WireOne = Type.Object({ data: Type.Object({ product: WireProduct }) });

const TITLE_MAX = 300;
const TEXT_MAX = 2000;
const IMAGES_MAX = 10;

/** Undefined for a product without a name or price. */
export function pasarOfferOf(product: WireProduct): Offer | undefined {
  const { shop, rating, category } = product;
  const title = plain(product.name, TITLE_MAX);
  if (title === '' || product.price === 0) return undefined;
  return {
    source: 'marketplace_2',
    id: product.id,
    title,
    description: plain(product.description, TEXT_MAX),
    images: product.images.map(linkOf).slice(0, IMAGES_MAX),
    url: linkOf(product.url),
    price: idr(product.price),
    shipping: idr(product.shipping.flat_rate),
    stock: product.stock,
    vendor: {
      name: plain(shop.owner, TITLE_MAX),
      marketplace: 'Pasar',
      shop_name: plain(shop.name, TITLE_MAX),
      shop_url: linkOf(shop.url),
      shop_location: plain(shop.city, 100),
    },
    tags: [plain(category.name, 50)],
    ...(rating.count > 0 && { rating: rating.average }),
    reviews: rating.count,
    sold: product.sold,
  };
}

const idr = (rupiah: number): Money<'IDR'> => ({
  asset: 'IDR',
  units: BigInt(rupiah) * 10n ** BigInt(SCALE.IDR),
});
