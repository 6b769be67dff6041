import { createBatcher } from '#kernel/batcher.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import { LISTED_MAX, sinceMs } from './client.ts';
import { type Listed, listFrom, type Pages } from './pages.ts';
import type { Sought } from './port.ts';

const PAGES_MAX = 10;

/**
 * Finds by our reference in lists of the exchange. Look-ups that arrive while a list is being read share the next
 * one: an exchange limits the rate of calls, and no list is older than its look-up.
 */
export const createFinder = <T extends Listed>(
  list: (sinceMs: number) => Promise<Outcome<readonly T[]>>,
  referenceOf: (one: T) => string | null | undefined,
): ((sought: Sought) => Promise<Outcome<T | undefined>>) =>
  createBatcher<Sought, Outcome<T | undefined>>({
    max: LISTED_MAX,
    async many(all) {
      const since = Math.min(...all.map((sought) => sinceMs(sought.since)));
      const listed = await listFrom(list, since, PAGES_MAX);
      if (listed.kind !== 'done') return all.map(() => listed);
      const { byName, isWhole } = namesOf(listed.value, referenceOf);
      return all.map(({ reference }) => {
        const [found, ...others] = byName.get(reference) ?? [];
        if (others.length > 0) return unknown('It is there more than once');
        return found || isWhole ? done(found) : unknown('The list is cut');
      });
    },
  });

function namesOf<T>(
  { all, isWhole }: Pages<T>,
  referenceOf: (one: T) => string | null | undefined,
): { byName: Map<string, T[]>; isWhole: boolean } {
  const byName = new Map<string, T[]>();
  for (const one of all) {
    const name = referenceOf(one) ?? '';
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  return { byName, isWhole };
}
