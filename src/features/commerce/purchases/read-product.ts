import { fail, wrongField } from '#kernel/error.ts';
import type { Outcome } from '#kernel/provider-call.ts';
import type { PageProduct, ShopPages } from '#providers/shop/port.ts';

const RETRY_S = 5;

/** Throws VALIDATION_ERROR for an address that must not be called, and PAGE_UNREADABLE for a page without a product. */
export async function readProduct(pages: ShopPages, url: string): Promise<PageProduct> {
  const outcome = await pages.read(url);
  if (outcome.kind === 'done') return outcome.value;
  if (outcome.kind === 'refused' && outcome.code === 'INVALID_URL')
    throw wrongField('url', outcome.message, { said: 'Invalid URL' });
  throw unreadable(outcome);
}

/** With a time to wait where the page may answer then. */
const unreadable = (outcome: Exclude<Outcome<PageProduct>, { readonly kind: 'done' }>) =>
  fail('PAGE_UNREADABLE', 'The product page could not be read', {
    ...(outcome.kind === 'refused'
      ? { details: outcome.message }
      : { details: `The page did not answer (${outcome.cause})`, retryAfter: RETRY_S }),
  });
