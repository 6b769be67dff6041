import { type Static, Type } from 'typebox';
import { type Money, SCALE } from '#kernel/money/money.ts';
import { divide } from '#kernel/money/rate.ts';
import type { Offer } from '../port.ts';
import { linkOf, plain } from '../text.ts';

/** Etsy's Open API v3, as far as we read it. Money is an amount over its divisor. */
const WireMoney = Type.Object({
  amount: Type.Integer({ minimum: 0, maximum: 1e12 }),
  divisor: Type.Integer({ minimum: 1, maximum: 1e6 }),
  currency_code: Type.String(),
});

const WireImage = Type.Object({
  url_fullxfull: Type.String(),
  rank: Type.Optional(Type.Integer()),
});

const WireShop = Type.Object({
  shop_id: Type.Integer(),
  shop_name: Type.String(),
  title: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  url: Type.String(),
  review_average: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 5 }), Type.Null()])),
  review_count: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  transaction_sold_count: Type.Optional(Type.Integer({ minimum: 0 })),
  shop_location_country_iso: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const WireDestination = Type.Object({
  primary_cost: WireMoney,
  destination_country_iso: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const WireListing = Type.Object({
  listing_id: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  description: Type.String(),
  state: Type.String(),
  quantity: Type.Integer({ minimum: 0 }),
  url: Type.String(),
  tags: Type.Array(Type.String()),
  price: WireMoney,
  images: Type.Optional(Type.Union([Type.Array(WireImage), Type.Null()])),
  shop: Type.Optional(Type.Union([WireShop, Type.Null()])),
  shipping_profile: Type.Optional(
    Type.Union([
      Type.Object({ shipping_profile_destinations: Type.Array(WireDestination) }),
      Type.Null(),
    ]),
  ),
});
export type WireListing = Static<typeof WireListing>;

/** A search answers bare listings; a second call reads their details by ids. */
export const WireFound = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  results: Type.Array(Type.Object({ listing_id: Type.Integer({ minimum: 1 }) })),
});
export const WireListings = Type.Object({
  count: Type.Integer(),
  results: Type.Array(Type.Unknown()),
});

/** The parts of a listing that a call has to name. */
export const INCLUDES = 'Images,Shop,Shipping';

/** Listings in other states are drafts, expired or removed. */
const SHOWN_STATES = ['active', 'sold_out'];
const TITLE_MAX = 300;
const TEXT_MAX = 2000;
const IMAGES_MAX = 10;

/** Undefined for a listing that the shop does not show, or in a currency that we do not sell in. */
export function offerOf(listing: WireListing): Offer | undefined {
  const { shop, shipping_profile, images } = listing;
  const price = usd(listing.price, 'up');
  const shipping = shippingOf(shipping_profile?.shipping_profile_destinations ?? []);
  const title = plain(listing.title, TITLE_MAX);
  if (!SHOWN_STATES.includes(listing.state) || !shop || title === '') return undefined;
  if (!price || !shipping || price.units < 1n) return undefined;
  const shop_name = plain(shop.shop_name, TITLE_MAX);
  return {
    source: 'marketplace_1',
    id: String(listing.listing_id),
    title,
    description: plain(listing.description, TEXT_MAX),
    images: (images ?? []).map((image) => linkOf(image.url_fullxfull)).slice(0, IMAGES_MAX),
    url: linkOf(listing.url),
    price,
    shipping,
    stock: listing.state === 'active' ? listing.quantity : 0,
    vendor: {
      name: plain(shop.title ?? '', TITLE_MAX) || shop_name,
      marketplace: 'Etsy',
      shop_name,
      shop_url: linkOf(shop.url),
      ...(shop.shop_location_country_iso && {
        shop_location: plain(shop.shop_location_country_iso, 2),
      }),
    },
    tags: listing.tags.map((tag) => plain(tag, 50)).slice(0, 20),
    ...(typeof shop.review_average === 'number' && { rating: shop.review_average }),
    ...(typeof shop.review_count === 'number' && { reviews: shop.review_count }),
    ...(shop.transaction_sold_count !== undefined && { sold: shop.transaction_sold_count }),
  };
}

/** Shipping to everywhere where the shop has that, else to its first destination; without destinations it is free. */
function shippingOf(
  destinations: readonly Static<typeof WireDestination>[],
): Money<'USD'> | undefined {
  const everywhere = destinations.find(({ destination_country_iso: iso }) => !iso);
  const chosen = everywhere ?? destinations[0];
  return chosen ? usd(chosen.primary_cost, 'up') : { asset: 'USD', units: 0n };
}

function usd(
  { amount, divisor, currency_code }: Static<typeof WireMoney>,
  rounding: 'up',
): Money<'USD'> | undefined {
  if (currency_code !== 'USD') return undefined;
  const units = divide(BigInt(amount) * 10n ** BigInt(SCALE.USD), BigInt(divisor), rounding);
  return { asset: 'USD', units };
}
