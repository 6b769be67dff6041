import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError, fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { format } from '#kernel/money/money.ts';
import { type PageProduct, readPrice } from '#providers/shop/port.ts';
import { admitStep } from './ceilings.ts';
import type { NewOrderDeps } from './deps.ts';
import type { GivenProduct } from './order-input.ts';
import { readProduct } from './read-product.ts';
import type { PriceSource, PurchaseOrderedProduct } from './store.ts';

export interface SourcedProduct {
  readonly product: PurchaseOrderedProduct;
  readonly price_source: PriceSource;
}

/** How long a page's words count; then the page is read again. */
const PAGE_MS = 30 * 60_000;
const PAGE = 'purchase-page';

const Sealed = Type.Object({
  title: Type.String(),
  priceText: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  image: Type.Union([Type.String(), Type.Null()]),
  site: Type.String(),
  url: Type.String(),
  until: Type.String(),
});

type SealDeps = Pick<NewOrderDeps, 'vault' | 'clock'>;

/** The product as its page has it, sealed: the caller brings it back, and only we can have made it. */
export function sealPage({ vault, clock }: SealDeps, product: PageProduct): string | null {
  if (product.priceText === null) return null;
  const until = new Date(clock.now().getTime() + PAGE_MS).toISOString();
  return vault.seal(JSON.stringify({ ...product, until }), PAGE);
}

/**
 * The product of an order as its page has it, by the seal of step 2 or read again. Throws PRICE_CHANGED where the
 * caller names another price than the page, and PRODUCT_NOT_READ where there is no page to read; in mock mode the
 * caller's words count instead. A page that does not answer is PROVIDER_UNAVAILABLE.
 */
export async function sourceOf(
  deps: NewOrderDeps,
  given: GivenProduct,
  by: { readonly caller: UserCaller; readonly request: RequestFacts },
): Promise<SourcedProduct> {
  const sealed = sealedSource(deps, given);
  if (sealed) return sealed;
  const { page_seal: _, ...product } = given;
  if (deps.config.MOCK_MODE) return { product, price_source: 'CALLER' };
  if (product.url === null)
    throw notRead('A product is ordered from its page: send its url, or page_seal of step 2');
  await admitStep(deps, by.caller, by.request);
  const leave = await deps.shares.enter('pages', { caller: by.caller, ip: by.request.ip });
  const page = await readProduct(deps.pages, product.url)
    .catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'PAGE_UNREADABLE' ? unread(error) : error;
    })
    .finally(leave);
  if (page.priceText === null) throw notRead('The page of the product names no single price');
  return fromPage({ ...page, priceText: page.priceText }, given);
}

/** The same by the seal alone; undefined without a seal, or with an expired one. Fetches nothing. */
export function sealedSource(deps: SealDeps, given: GivenProduct): SourcedProduct | undefined {
  const page = opened(deps, given);
  return page && fromPage(page, given);
}

/** A page that does not answer may answer later; a page without a product stays so. */
const unread = (error: AppError): AppError =>
  error.retryAfter === undefined
    ? notRead('The page of the product could not be read', error)
    : fail('PROVIDER_UNAVAILABLE', 'The page of the product does not answer at the moment', {
        retryAfter: error.retryAfter,
        cause: error,
      });

const notRead = (message: string, cause?: AppError) =>
  fail('PRODUCT_NOT_READ', message, cause && { cause, details: cause.details });

/** Undefined without a seal, or with an expired one. Throws VALIDATION_ERROR for a seal that is not ours. */
function opened({ vault, clock }: SealDeps, { page_seal, url }: GivenProduct) {
  if (page_seal === null) return undefined;
  const page = read(vault, page_seal);
  if (page === undefined)
    throw wrongField('product.page_seal', 'is not the one that step 2 answered');
  if (url !== null && url !== page.url)
    throw wrongField('product.url', 'is not the page that page_seal belongs to');
  return new Date(page.until) > clock.now() ? page : undefined;
}

function read(vault: SealDeps['vault'], seal: string): Static<typeof Sealed> | undefined {
  try {
    const page: unknown = JSON.parse(vault.open(seal, PAGE));
    return Value.Check(Sealed, page) ? page : undefined;
  } catch {
    return undefined;
  }
}

/** The page's own words and price; the caller may have written the same price in another way. */
function fromPage(
  { title, priceText, description, image, site, url }: Omit<Static<typeof Sealed>, 'until'>,
  given: GivenProduct,
): SourcedProduct {
  const [page, caller] = [readPrice(priceText), readPrice(given.priceText)];
  if ('price' in page && !('price' in caller && isSame(page.price, caller.price)))
    throw fail('PRICE_CHANGED', 'product.priceText is not the price on the page of the product', {
      status: 400,
      details: { currency: page.price.asset, amount: format(page.price) },
    });
  return {
    product: { title, priceText, description, image, site, url },
    price_source: 'PAGE',
  };
}

type Read = Extract<ReturnType<typeof readPrice>, { readonly price: unknown }>['price'];
const isSame = (a: Read, b: Read): boolean => a.asset === b.asset && a.units === b.units;
