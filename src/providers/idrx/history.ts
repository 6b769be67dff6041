import { type Static, type TSchema, Type } from 'typebox';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import type { IdrxCall } from './call.ts';

export const IDRX_TAKE = 100;
const PAGES_MAX = 100;

export type HistoryType = 'MINT' | 'BURN';

export interface Search<R> {
  readonly type: HistoryType;
  /** Their id of the record, where it is known. */
  readonly merchantOrderId?: string;
  /** Older records do not matter. */
  readonly since: Date;
  matches(record: R): boolean;
  /** Whether the record would show a match; an undefined text proves none and excludes none. */
  tells(record: R): boolean;
}

/** One page, newest first. Both forms of the answer are documented. */
export async function historyPage<S extends TSchema>(
  ask: IdrxCall,
  schema: S,
  { type, page, merchantOrderId }: { type: HistoryType; page: number; merchantOrderId?: string },
): Promise<Outcome<readonly Static<S>[]>> {
  const query = new URLSearchParams({
    transactionType: type,
    page: `${page}`,
    take: `${IDRX_TAKE}`,
    orderByDate: 'DESC',
    ...(merchantOrderId === undefined ? {} : { merchantOrderId }),
  });
  const Page = Type.Union([
    Type.Object({ records: Type.Array(schema) }),
    Type.Object({ data: Type.Array(schema) }),
  ]);
  const path = `/transaction/user-transaction-history?${query}`;
  const answer = await ask(Page, { name: 'history', method: 'GET', path });
  if (answer.kind !== 'done') return answer;
  const value = answer.value as { records?: Static<S>[]; data?: Static<S>[] };
  return done(value.records ?? value.data ?? []);
}

/**
 * All matching records, newest first. Empty where there is certainly none; unknown where the history is too long to
 * read, or does not show what a match needs.
 */
export async function searchHistory<S extends TSchema>(
  ask: IdrxCall,
  schema: S,
  search: Search<Static<S> & { readonly createdAt: string }>,
): Promise<Outcome<readonly Static<S>[]>> {
  const found: Static<S>[] = [];
  let isBlind = false;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const answer = await historyPage(ask, schema, { ...search, page });
    if (answer.kind !== 'done') return answer;
    const records = answer.value as readonly (Static<S> & { readonly createdAt: string })[];
    const recent = records.filter(({ createdAt }) => new Date(createdAt) >= search.since);
    found.push(...recent.filter(search.matches));
    isBlind ||= recent.some((record) => !search.tells(record));
    if (recent.length < IDRX_TAKE)
      return found.length === 0 && isBlind ? unknown('the history does not tell') : done(found);
  }
  return unknown('the history is too long to be searched');
}
