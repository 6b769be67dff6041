import type { Offer } from '#providers/catalogue/port.ts';

type Finder = typeof import('minisearch');
let loading: Promise<Finder> | undefined;

/** The first search loads it: most processes never search. */
const loadFinder = (): Promise<Finder> => {
  loading ??= import('minisearch');
  return loading;
};

/** The first query is the caller's own. */
const weightOf = (place: number): number => 1 / (1 + place / 2);

/**
 * Offers of several marketplaces as one list without duplicates: by how well title, tags and text match any query,
 * misspelt words included, and available goods before sold-out ones. Offers that match no query come last, in their
 * marketplace's order.
 */
export async function rank(
  offers: readonly Offer[],
  queries: readonly string[],
): Promise<readonly Offer[]> {
  const all = withoutDuplicates(offers);
  const { default: MiniSearch } = await loadFinder();
  const index = new MiniSearch<{ id: number } & Offer & { words: string }>({
    fields: ['title', 'words', 'description'],
  });
  index.addAll(all.map((offer, id) => ({ ...offer, id, words: offer.tags.join(' ') })) as never);
  const scores = all.map(() => 0);
  for (const [place, query] of queries.entries())
    for (const { id, score } of index.search(query, {
      boost: { title: 4, words: 2 },
      fuzzy: 0.2,
      prefix: true,
    }))
      scores[id] = Math.max(scores[id] ?? 0, score * weightOf(place));
  return all
    .map((offer, i) => ({ offer, i, score: scores[i] ?? 0 }))
    .sort((a, b) => soldOut(a.offer) - soldOut(b.offer) || b.score - a.score || a.i - b.i)
    .map(({ offer }) => offer);
}

const soldOut = ({ stock }: Offer): number => (stock > 0 ? 0 : 1);

/** Duplicates: found by several queries, or offered twice by one shop under one name and price. */
function withoutDuplicates(offers: readonly Offer[]): Offer[] {
  const seen = new Set<string>();
  return offers.filter((offer) => {
    const { source, id, title, price, vendor } = offer;
    const same = `${source} ${vendor.shop_name} ${title.toLowerCase()} ${price.units}`;
    const isNew = !seen.has(`${source} #${id}`) && !seen.has(same);
    seen.add(`${source} #${id}`).add(same);
    return isNew;
  });
}
