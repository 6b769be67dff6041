import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { convertVia, readRates } from '#features/fiat/fx/fx.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import { format, type Money, money, toWire } from '#kernel/money/money.ts';
import { divide } from '#kernel/money/rate.ts';
import {
  PRICE_CURRENCIES,
  type PriceCurrency,
  type PurchasePrice,
  readPrice,
  type Unreadable,
} from '#providers/shop/port.ts';
import type { OrderDeps } from './deps.ts';

type Deps = Pick<OrderDeps, 'fx' | 'vault' | 'clock'>;

/** A product's price in USDC, by our own rates. */
export interface Pricing {
  readonly price: PurchasePrice;
  readonly usdc: Money<'USDC'>;
  /** USDC for one unit of the price's currency. */
  readonly rate: string;
  readonly route: string;
  readonly source: string;
  /** When the rates were read, ISO 8601. */
  readonly at: string;
}

/** How long a quote keeps its rate. */
const QUOTE_MS = 15 * 60_000;
const QUOTE = 'purchase-quote';
/** Basis points by which a caller's amount may differ from the present one, without a quote. */
const DRIFT_POINTS = 100n;

const Kept = Type.Object({
  asset: Type.String(),
  price: Type.String(),
  usdc: Type.String(),
  rate: Type.String(),
  route: Type.String(),
  source: Type.String(),
  at: Type.String(),
  until: Type.String(),
});

/** Reads a price text and converts it at the present rates. Throws PRICE_UNREADABLE. */
export async function priceNow({ fx }: Deps, priceText: string): Promise<Pricing> {
  const price = priceIn(priceText);
  const { usdc, rate_in, route, source, at } = convertVia(await readRates(fx), {
    from: price,
    to: 'USDC',
  });
  return { price, usdc, rate: rate_in, route, source, at };
}

function priceIn(priceText: string): PurchasePrice {
  const read = readPrice(priceText);
  if ('price' in read) return read.price;
  const why = WHY[read.unreadable];
  throw wrongField('product.priceText', why, {
    code: 'PRICE_UNREADABLE',
    said: `priceText ${why}`,
  });
}

const WHY: Readonly<Record<Unreadable, string>> = {
  'no amount': 'has no single amount',
  'no currency': 'does not say in which currency it is',
  'unknown currency': `is not in one of ${PRICE_CURRENCIES.join(', ')}`,
  ambiguous: 'can be read in several ways',
  'no price': 'is a price of nothing',
};

/** Sealed, so that only we can have made it: the caller brings it back with the order. */
export function sealQuote({ vault, clock }: Deps, pricing: Pricing) {
  const { price, usdc, rate, route, source, at } = pricing;
  const until = new Date(clock.now().getTime() + QUOTE_MS).toISOString();
  const kept: Static<typeof Kept> = {
    asset: price.asset,
    price: `${price.units}`,
    usdc: `${usdc.units}`,
    rate,
    route,
    source,
    at,
    until,
  };
  return { quote: vault.seal(JSON.stringify(kept), QUOTE), quote_expires_at: until };
}

/** The price that a caller names. */
export interface QuotedPrice {
  readonly original: { readonly amount: string; readonly currency: string };
  readonly usdc: { readonly amount: string };
  readonly quote?: string;
}

/**
 * The order's price: by the caller's quote, else by the present rates. Throws PRICE_CHANGED where the caller names
 * another price (docs/design/commerce.md#49).
 */
export async function agree(deps: Deps, priceText: string, given: QuotedPrice): Promise<Pricing> {
  const price = priceIn(priceText);
  const { original, usdc } = given;
  if (original.currency.toUpperCase() !== price.asset || !isSame(price, original.amount))
    throw fail('PRICE_CHANGED', 'pricing.original is not what priceText says', {
      status: 400,
      details: { currency: price.asset, amount: format(price) },
    });
  const claimed = money('USDC', usdc.amount);
  const quoted = given.quote === undefined ? undefined : openQuote(deps, given.quote, price);
  const pricing = quoted ?? (await priceNow(deps, priceText));
  const drift = quoted ? 0n : divide(pricing.usdc.units * DRIFT_POINTS, 10_000n, 'up');
  const off = claimed.units - pricing.usdc.units;
  if (off > drift || -off > drift)
    throw fail('PRICE_CHANGED', 'pricing.usdc is not what the price comes to: ask step 3a again', {
      status: 400,
      details: { usdc_amount: format(pricing.usdc) },
    });
  return pricing;
}

const isSame = (price: PurchasePrice, amount: string): boolean =>
  /^\d+(\.\d+)?$/.test(amount) && money(price.asset, amount).units === price.units;

/** Undefined where the quote has expired, is for another price, or is not ours. */
function openQuote(
  { vault, clock }: Deps,
  quote: string,
  price: PurchasePrice,
): Pricing | undefined {
  const kept = opened(vault, quote);
  if (!kept || new Date(kept.until) <= clock.now()) return undefined;
  if (kept.asset !== price.asset || BigInt(kept.price) !== price.units) return undefined;
  const { rate, route, source, at } = kept;
  const usdc = { asset: 'USDC', units: BigInt(kept.usdc) } as const;
  return { price, usdc, rate, route, source, at };
}

function opened(vault: Deps['vault'], quote: string): Static<typeof Kept> | undefined {
  try {
    const kept: unknown = JSON.parse(vault.open(quote, QUOTE));
    return Value.Check(Kept, kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** As the contract has it. */
export const shownPricing = ({ price, usdc, rate }: Pick<Pricing, 'price' | 'usdc' | 'rate'>) => ({
  original: { amount: toWire(price), currency: price.asset, formatted: grouped(price) },
  usdc: { amount: format(usdc), formatted: grouped(usdc) },
  conversion_rate: rate,
  route: routeOf(price.asset),
});

export const routeOf = (currency: PriceCurrency): string => `${currency} → USDC`;

/** For people: `IDR 1,234,567.00`. */
export function grouped(amount: Money): string {
  const [whole = '', fraction] = format(amount).split('.');
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${amount.asset} ${parted}${fraction === undefined ? '' : `.${fraction}`}`;
}

export const PricingShape = named('PurchasePricing', {
  original: named('ShopPrice', {
    amount: Type.Number(),
    currency: Type.String(),
    formatted: Type.String(),
  }),
  usdc: Type.Object({ amount: Type.String(), formatted: Type.String() }),
  conversion_rate: Type.String(),
  route: Type.String(),
});
