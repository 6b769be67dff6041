import type { TimelineWords, WorkHistory } from '#features/messaging/payments/payments.ts';
import type { BackofficeDeps } from '#features/operator/backoffice/backoffice.ts';
import type { Composition } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { listPayments } from '#kernel/payment-list/payment-list-store.ts';
import { CHAIN_FAMILIES } from '#src/app/chains.ts';
import { openWork } from './open-work.ts';
import { type Kinds, postingsOf, storiesOf } from './work-story.ts';

/** Where the operator's pages read from. */
export function backOfficeSources(
  kernel: Kernel,
  composition: () => Composition,
): Omit<BackofficeDeps, keyof Kernel> & Pick<TimelineWords, 'explorerUrl'> {
  const { db } = kernel;
  return {
    types: () => composition().events,
    explorerUrl: (transaction) =>
      CHAIN_FAMILIES.map((family) => family.explorerUrl?.(transaction) ?? null).find(
        (url) => url !== null,
      ) ?? null,
    work: () => openWork(kernel),
    async stories(names) {
      const known = await kindsOf(kernel, composition());
      const stories: WorkHistory[] = [];
      for (const name of names) stories.push(...(await storiesOf(kernel, known, name)));
      return stories;
    },
    postings: (names) => postingsOf(kernel, names),
    transactions: (names) => inTurn((family) => family.transactionsOf?.(db, names) ?? []),
    async payments(name) {
      const sources = composition().payments.map(({ source }) => source);
      const all = {
        scope: {},
        reader: 'operator' as const,
        sources: [...new Map(sources.map((source) => [source.view, source])).values()],
      };
      // A short number is the id of too many things, and may be what another side calls one.
      const by = /^\d{1,9}$/.test(name) ? { provider_reference: name } : { q: name };
      const { rows } = await listPayments(db, all, by, ANY_PLACE);
      return rows.flatMap(({ object_id, our_reference, work_id }) =>
        [object_id, our_reference, work_id].filter((one) => one !== null),
      );
    },
    async references(hash) {
      if (!HASH.test(hash)) return [];
      return inTurn((family) => family.referencesOf(db, hash));
    },
  };
}

const ANY_PLACE = { limit: 20, before: undefined };

/** Kinds of effects and sources of inbound events; sources of unhandled events as well, known or not. */
export async function kindsOf(
  { db, effects, inboxes: stored }: Kernel,
  { inboxes }: Pick<Composition, 'inboxes'>,
): Promise<Kinds> {
  const waiting = (await stored.stats(db)).map(({ source }) => source);
  const sources = new Set([...inboxes.map(({ source }) => source), ...waiting]);
  return { effects: effects.kinds(), sources: [...sources] };
}

/** Answers of all families of chains, one after the other: a request has one connection. */
async function inTurn<T>(
  ask: (family: (typeof CHAIN_FAMILIES)[number]) => Promise<readonly T[]> | readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  for (const family of CHAIN_FAMILIES) found.push(...(await ask(family)));
  return found;
}

/** Chains write hashes in capitals, in small letters, and with 0x or without. */
const HASH = /^(0x)?[0-9a-f]{64}$/i;
