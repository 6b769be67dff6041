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
export const cursorReader = <F extends ListFilters & CursorRequest>(request: F) =>
  readerOf(request, (place) => Number.isSafeInteger(place));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The same of a list whose rows have a UUID in the order of their times. */
export const uuidCursorReader = <F extends ListFilters & CursorRequest>(request: F) =>
  readerOf<F, string>(request, (place) => typeof place === 'string' && UUID.test(place));

function readerOf<F extends ListFilters & CursorRequest, P = number>(
  { limit, cursor, ...rest }: F,
  isPlace: (place: unknown) => boolean,
) {
  const rows = limit ?? PAGE_ROWS;
  const digest = digestOf(rest);
  const before = cursor === undefined ? undefined : placeIn(cursor, digest, isPlace);
  return {
    /** One more than the page has: it shows whether there is another page. */
    wanted: { limit: rows + 1, before: before as P | undefined },
    /** `looked`: where a page goes on that has looked through as many rows as it may, and found fewer. */
    page<Row, Item>(
      found: readonly Row[],
      placeOf: (row: Row) => P,
      show: (row: Row) => Item,
      looked?: P,
    ) {
      const shown = found.slice(0, rows);
      const last = found.length > rows ? shown.at(-1) : undefined;
      const next = last === undefined ? looked : placeOf(last);
      const next_cursor = next === undefined ? null : cursorOf(next, digest);
      return { items: shown.map(show), next_cursor };
    },
  };
}

const cursorOf = (place: unknown, digest: string): string =>
  Buffer.from(JSON.stringify([place, digest])).toString('base64url');

function placeIn(cursor: string, digest: string, isPlace: (place: unknown) => boolean): unknown {
  const [place, of] = parsed(cursor);
  if (!isPlace(place) || typeof of !== 'string')
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
