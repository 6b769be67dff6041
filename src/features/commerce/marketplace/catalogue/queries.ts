import { Type } from 'typebox';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { MarketDeps } from '../deps.ts';
import { withinDeadline } from './deadline.ts';
import { createBriefCache } from './ttl-cache.ts';
import { ownVariants } from './vocabulary.ts';

/** Asked for at each marketplace; the caller's own words are the first. */
export const QUERIES_MAX = 4;
const QUERY_MAX = 100;
/** A shopper does not wait long for better words. */
const PATIENCE_MS = 2_000;
const KEPT = { keptMs: 600_000, most: 1000 };

const Expansion = Type.Object({
  search_queries: Type.Array(Type.String({ maxLength: QUERY_MAX }), { maxItems: 8 }),
});
const INSTRUCTIONS = `Somebody searches two marketplaces, one in English and one in Indonesian. Answer a few
short search queries for the same goods: the words spelt right, their synonyms, and the other language.`;

/** With which words to search. */
export interface Queries {
  has(query: string): boolean;
  /** What the caller wrote, then what a language model makes of it, then our own spelling of it. */
  of(query: string): Promise<readonly string[]>;
}

/** The model only adds words to search for; without it the caller's and our own are searched for. */
export function createQueries({ clock, model }: Pick<MarketDeps, 'clock' | 'model'>): Queries {
  const cache = createBriefCache<readonly string[]>(clock, KEPT);

  async function expand(query: string): Promise<Outcome<readonly string[]>> {
    const turns = [{ role: 'user' as const, content: query }];
    const question = { task: 'expand-query', instructions: INSTRUCTIONS, turns };
    const answer = await withinDeadline(model.propose(question, Expansion), PATIENCE_MS);
    return answer.kind === 'done' ? done(answer.value.value.search_queries) : answer;
  }

  return {
    has: (query) => cache.has(query),
    async of(query) {
      const told = await cache.get(query, () => expand(query));
      const words = told.kind === 'done' ? told.value : [];
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
