import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { fail } from '#kernel/error.ts';
import { isNotConfigured } from '#kernel/provider-call.ts';
import { DAY_MS, QUARTER_MS, type QuotaRule } from '#kernel/quota/quota.ts';
import type { Offer, Source } from '#providers/catalogue/port.ts';
import type { MarketDeps } from '../deps.ts';
import { withinDeadline } from './deadline.ts';
import { type RupiahRate, readRupiahRate } from './price.ts';
import { type Product, productOf } from './products.ts';
import { createQueries } from './queries.ts';
import { rank } from './rank.ts';
import { createTtlCache } from './ttl-cache.ts';

export interface SearchRequest {
  readonly query: string;
  readonly sources: readonly Source[];
  readonly limit: number;
  readonly ip: string;
}

export interface SearchResult {
  readonly products: readonly Product[];
  readonly search_queries: readonly string[];
}

export type MarketplaceSearch = (wish: SearchRequest) => Promise<SearchResult>;

/** Offers that one call to a marketplace gets, for any limit of the caller: the next caller may want more. */
const FETCHED = 50;
/** A marketplace that is slower than this is left out. */
const PATIENCE_MS = 6_000;
const KEPT = { keptMs: 60_000, most: 2000 };

/** Searches that may reach the marketplaces and the model; cached ones are free. */
const SEARCHES: QuotaRule = {
  name: 'marketplace searches',
  words: 'searches',
  limits: [
    { per: 'network', withinMs: QUARTER_MS, most: 3_000, strangers: 150 },
    { per: 'network', withinMs: DAY_MS, most: 30_000, strangers: 1_500 },
  ],
  day: 200_000,
};

interface SourceOffers {
  readonly source: Source;
  readonly offers: readonly Offer[];
  readonly fx?: RupiahRate;
}

/** Searches the marketplaces at once; an unreachable one leaves the other's goods. */
export function createSearch(deps: MarketDeps): MarketplaceSearch {
  const { catalogues, clock, fx } = deps;
  const queries = createQueries(deps);
  const cache = createTtlCache<readonly Offer[]>(clock, KEPT);
  const keyOf = (source: Source, query: string) => `${source} ${query.toLowerCase()}`;

  const searchOne = (source: Source, query: string): Promise<Outcome<readonly Offer[]>> =>
    cache.get(keyOf(source, query), () => catalogues[source].search(query, FETCHED));

  /** Some queries may fail; where all fail, the marketplace is unreachable. */
  async function searchAll(
    source: Source,
    words: readonly string[],
  ): Promise<Outcome<SourceOffers>> {
    const all = words.map((query) => withinDeadline(searchOne(source, query), PATIENCE_MS));
    const outcomes = await Promise.all(all);
    const offers = outcomes.flatMap((one) => (one.kind === 'done' ? one.value : []));
    const failed = outcomes.find(({ kind }) => kind !== 'done');
    if (failed && outcomes.every(({ kind }) => kind !== 'done')) return failed as Outcome<never>;
    if (!offers.some(({ price }) => price.asset === 'IDR')) return done({ source, offers });
    try {
      return done({ source, offers, fx: await readRupiahRate(fx) });
    } catch {
      return unknown('there is no rate of the rupiah');
    }
  }

  return async ({ query, sources, limit, ip }) => {
    const isKnown = queries.has(query) && sources.every((one) => cache.has(keyOf(one, query)));
    if (!isKnown) await deps.quotas.spend(deps.db, SEARCHES, { ip });
    const search_queries = await queries.of(query);
    const outcomes = await Promise.all(sources.map((source) => searchAll(source, search_queries)));
    const found = outcomes.flatMap((one) => (one.kind === 'done' ? [one.value] : []));
    if (found.length === 0) throw failed(outcomes);
    const rates = new Map(found.map(({ source, fx: rate }) => [source, rate]));
    const ranked = await rank(
      found.flatMap(({ offers }) => offers),
      search_queries,
    );
    const products = ranked
      .slice(0, limit)
      .map((offer) => productOf(offer, rates.get(offer.source)));
    return { products, search_queries };
  };
}

/** The contract's 500, with a reason that shows nothing internal. */
const failed = (outcomes: readonly Outcome<unknown>[]) =>
  fail('SEARCH_FAILED', 'Search failed', {
    details: outcomes.every(isNotConfigured)
      ? 'No marketplace is configured'
      : 'No marketplace answers at the moment',
  });
