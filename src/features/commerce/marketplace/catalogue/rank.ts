import type { Offer } from '#providers/catalogue/port.ts';

type Finder = typeof import('minisearch');
let loading: Promise<Finder> | undefined;

/** Most starts never search, so that whoever searches first loads it. */
const loadFinder = (): Promise<Finder> => {
  loading ??= import('minisearch');
  return loading;
};

/** The first query is the caller's own. */
const weightOf = (place: number): number => 1 / (1 + place / 2);

/**
 * Offers of several marketplaces as one list without repetitions: by how well the title, tags and text fit
 * any of the queries, misspelt words included, and what can be bought before what is sold out. What fits none
 * of our words comes last, in its marketplace's order, which knew why it is there.
 */
export async function rank(
  offers: readonly Offer[],
  queries: readonly string[],
): Promise<readonly Offer[]> {
  const all = withoutRepetitions(offers);
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

/** Found by several queries, or offered twice by one shop under the same name and price. */
function withoutRepetitions(offers: readonly Offer[]): Offer[] {
  const seen = new Set<string>();
  return offers.filter((offer) => {
    const { source, id, title, price, vendor } = offer;
    const same = `${source} ${vendor.shop_name} ${title.toLowerCase()} ${price.units}`;
    const isNew = !seen.has(`${source} #${id}`) && !seen.has(same);
    seen.add(`${source} #${id}`).add(same);
    return isNew;
  });
}
