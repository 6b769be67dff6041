import type { Outcome } from '#kernel/provider-call.ts';

export { detectUrl } from './detect-url.ts';
export { PRICE_CURRENCIES, type PriceCurrency } from './price-currencies.ts';
export { type PurchasePrice, readPrice, type Unreadable } from './price-text.ts';

/** A product as its page describes it. All of it is a stranger's text. */
export interface PageProduct {
  readonly title: string;
  /** Null where the page names no single price. */
  readonly priceText: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly site: string;
  readonly url: string;
}

/** The pages of web shops that callers name. */
export interface ShopPages {
  /**
   * Fetches a page and reads its product. `refused` with INVALID_URL for an address that must not be called, and with
   * PAGE_UNREADABLE where the page has no product for us; `unknown` where it does not answer.
   */
  read(url: string): Promise<Outcome<PageProduct>>;
  close(): Promise<void>;
}
