import { Type } from 'typebox';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { MarketDeps } from '../deps.ts';
import { withinDeadline } from './deadline.ts';
import { createTtlCache } from './ttl-cache.ts';
import { ownVariants } from './vocabulary.ts';

/** Queries for each marketplace; the caller's own words are the first. */
export const QUERIES_MAX = 4;
const QUERY_MAX = 100;
/** How long a shopper waits for the model's words. */
const PATIENCE_MS = 2_000;
const KEPT = { keptMs: 600_000, most: 1000 };

const Expansion = Type.Object({
  search_queries: Type.Array(Type.String({ maxLength: QUERY_MAX }), { maxItems: 8 }),
});
const INSTRUCTIONS = `Somebody searches two marketplaces, one in English and one in Indonesian. Answer a few
short search queries for the same goods: the words spelt right, their synonyms, and the other language.`;

/** The queries of a search. */
export interface Queries {
  has(query: string): boolean;
  /** The caller's words, then the language model's, then our own spelling of the caller's. */
  of(query: string): Promise<readonly string[]>;
}

/** The model only adds queries; without it the caller's and our own are used. */
export function createQueries({ clock, model }: Pick<MarketDeps, 'clock' | 'model'>): Queries {
  const cache = createTtlCache<readonly string[]>(clock, KEPT);

  async function expand(query: string): Promise<Outcome<readonly string[]>> {
    const turns = [{ role: 'user' as const, content: query }];
    const question = { task: 'expand-query', instructions: INSTRUCTIONS, turns };
    const answer = await withinDeadline(model.propose(question, Expansion), PATIENCE_MS);
    return answer.kind === 'done' ? done(answer.value.value.search_queries) : answer;
  }

  return {
    has: (query) => cache.has(query),
    async of(query) {
      const answer = await cache.get(query, () => expand(query));
      const words = answer.kind === 'done' ? answer.value : [];
      const own = ownVariants(query);
      return distinct([query, ...own.slice(0, 1), ...words, ...own]).slice(0, QUERIES_MAX);
    },
  };
}

function distinct(queries: readonly string[]): string[] {
  const clean = queries.map((one) =>
    one
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, QUERY_MAX),
  );
  const byWords = new Map<string, string>();
  for (const one of clean)
    if (one !== '' && !byWords.has(one.toLowerCase())) byWords.set(one.toLowerCase(), one);
  return [...byWords.values()];
}
