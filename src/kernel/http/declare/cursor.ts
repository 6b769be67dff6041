import { createHash } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import { filterQuery } from './page.ts';
import { explained, integerInput, oneOfWords, TextOrNull } from './schema.ts';

/** Rows of a page where the request names no limit, and at most. */
const PAGE_ROWS = 50;
const PAGE_ROWS_MAX = 100;

/** `?limit=&cursor=` of a list, newest first. */
export const cursorQuery = {
  limit: Type.Optional(integerInput(1, PAGE_ROWS_MAX)),
  cursor: Type.Optional(
    explained(
      Type.String({ maxLength: 500 }),
      'The `next_cursor` of the page before, with the same filters',
    ),
  ),
};

/** The same of a list of money: narrowed by status, by the caller's reference and by time, both ends included. */
export const moneyListQuery = <const S extends readonly string[]>(statuses: S) => ({
  status: Type.Optional(explained(oneOfWords(statuses), 'Only what is in it now')),
  ...filterQuery("the caller's own reference"),
  ...cursorQuery,
});

/** The data of such a list. */
export const cursorPage = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    next_cursor: {
      ...explained(TextOrNull, 'Of the next page; null on the last one'),
      examples: ['WzQ3MTEsInY5Yk1sSGhZb0Z6ZyJd'],
    },
  });

/** What a list is narrowed to: a cursor belongs to it. */
export type ListFilters = Readonly<Record<string, unknown>>;

interface CursorRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * The page of a list whose rows have a rising number: what to read, and how to show what was found. Rows that are
 * added meanwhile are newer than any cursor, so that no row is shown twice and none is left out. Throws
 * INVALID_PAGINATION for a cursor that is none or belongs to other filters.
 */
export function cursorReader<F extends ListFilters & CursorRequest>({ limit, cursor, ...rest }: F) {
  const rows = limit ?? PAGE_ROWS;
  const digest = digestOf(rest);
  const before = cursor === undefined ? undefined : placeOf(cursor, digest);
  return {
    /** One more than the page has: it shows whether there is another page. */
    wanted: { limit: rows + 1, before },
    page<Row, Item>(
      found: readonly Row[],
      numberOf: (row: Row) => number,
      show: (row: Row) => Item,
    ) {
      const shown = found.slice(0, rows);
      const last = found.length > rows ? shown.at(-1) : undefined;
      const next_cursor = last === undefined ? null : cursorOf(numberOf(last), digest);
      return { items: shown.map(show), next_cursor };
    },
  };
}

const cursorOf = (place: number, digest: string): string =>
  Buffer.from(JSON.stringify([place, digest])).toString('base64url');

function placeOf(cursor: string, digest: string): number {
  const [place, of] = parsed(cursor);
  if (typeof place !== 'number' || !Number.isSafeInteger(place) || typeof of !== 'string')
    throw fail('INVALID_PAGINATION', 'cursor is not one that a list has answered');
  if (of !== digest)
    throw fail('INVALID_PAGINATION', 'cursor belongs to a list with other filters');
  return place;
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const digestOf = (filters: ListFilters): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url')
    .slice(0, 12);
