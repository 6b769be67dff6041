import type { Money } from '#kernel/money/money.ts';
import type { Outcome } from '#kernel/provider-call.ts';

/** The contract's words for the two marketplaces: the first has prices in USD, the second in IDR. */
export const SOURCES = ['marketplace_1', 'marketplace_2'] as const;
export type Source = (typeof SOURCES)[number];

/** A product that a shop on a marketplace offers. All text is the shop's: we show it and never follow it. */
export interface Offer {
  readonly source: Source;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Addresses, the main one first. */
  readonly images: readonly string[];
  readonly url: string;
  readonly price: Money<'USD' | 'IDR'>;
  /** In the currency of the price. */
  readonly shipping: Money<'USD' | 'IDR'>;
  readonly stock: number;
  readonly vendor: Vendor;
  readonly tags: readonly string[];
  /** Of five; missing without reviews. */
  readonly rating?: number;
  readonly reviews?: number;
  readonly sold?: number;
}

export interface Vendor {
  readonly name: string;
  /** The marketplace as people know it. */
  readonly marketplace: string;
  readonly shop_name: string;
  readonly shop_url: string;
  readonly shop_location?: string;
}

/** One marketplace. */
export interface ShopCatalogue {
  /** The offers for these words, the best first. */
  search(query: string, limit: number): Promise<Outcome<readonly Offer[]>>;
  /** The present offer; `done(undefined)` where there is no such product, or no longer. */
  find(id: string): Promise<Outcome<Offer | undefined>>;
}

export type Catalogues = Readonly<Record<Source, ShopCatalogue>>;
