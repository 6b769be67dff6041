import { type TSchema, Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import {
  isTooFar,
  type ListOffset,
  type ListRequest,
  SCAN_ROWS_MAX,
} from '../../db/counted-list.ts';
import { named } from './named.ts';
import { explained, integerInput, Nullable, spanEdge, TimeZone, text } from './schema.ts';
import { ID_MAX } from './wire.ts';

/** Of a page of a list, how it goes on: `before` what `next_before` says, which is null on the last page. */
export const PageEnd = named('Page', {
  limit: Type.Integer(),
  has_more: Type.Boolean(),
  next_before: Nullable(Type.Integer()),
});

/** `?limit=&before=` of a list, newest first: the next page is before the last row of this one. */
export const pageQuery = (limitMax: number, idMax = Number.MAX_SAFE_INTEGER) => ({
  limit: Type.Optional(integerInput(1, limitMax)),
  before: Type.Optional(integerInput(1, idMax)),
});

/**
 * A list that the contract shows without end has one; a caller that asks for no page gets this many. Where
 * rows are left out the handler answers `Paged`, and the answer's `Link` says where the list goes on.
 */
export const LIST_MAX = 1000;
export const listQuery = pageQuery(LIST_MAX, ID_MAX);

/**
 * What `Link` says on a page that is not the last (RFC 8288): the same request for what comes before
 * `next`, under the address by which callers know the service, whatever name this one came under.
 */
export function nextPageLink(publicUrl: string, requested: string, next: Next): string {
  const address = new URL(`${publicUrl}${requested}`);
  for (const [name, value] of Object.entries(next)) address.searchParams.set(name, String(value));
  return `<${address}>; rel="next"`;
}

/** What a request for the next page says beside what this one said. */
export type Next = Readonly<Record<string, number | string>>;

/**
 * The next page of a list whose pages the contract counts by `offset` or `page`: what the answer says of
 * itself in `pagination`. Nothing on the last page.
 */
export function countedNext(body: unknown): Next | undefined {
  const { data, pagination = data?.pagination } = (body ?? {}) as Counted;
  if (!pagination) return undefined;
  const { per_page, limit = per_page, offset, page, has_more, total, as_of } = pagination;
  if (limit === undefined) return undefined;
  if (offset !== undefined)
    return has_more ? { offset: offset + limit, ...(as_of !== undefined && { as_of }) } : undefined;
  const isLast = page === undefined || total === undefined || page * limit >= total;
  return isLast ? undefined : { page: page + 1 };
}

interface Counted {
  readonly data?: Counted;
  readonly pagination?: {
    readonly limit?: number;
    readonly per_page?: number;
    readonly offset?: number;
    readonly page?: number;
    readonly has_more?: boolean;
    readonly total?: number;
    readonly as_of?: string;
  };
}

/** Whether a query has such pages. */
export const countsPages = (query: TSchema | undefined): boolean => {
  const { properties = {} } = (query ?? {}) as { properties?: object };
  return 'offset' in properties || 'page' in properties;
};

/** Of what was found for a page and one row more, which shows whether there is another page. */
export function pageOf<Row, Id extends number | string>(
  found: readonly Row[],
  limit: number,
  idOf: (row: Row) => Id,
): { rows: Row[]; has_more: boolean; next_before: Id | null } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const has_more = found.length > limit;
  return { rows, has_more, next_before: has_more && last !== undefined ? idOf(last) : null };
}

/** What every statement and history may be narrowed to: when a row was made, the ends included. */
export const timeQuery = {
  created_from: Type.Optional(spanEdge('start', 'Only what was made at that time or later')),
  created_to: Type.Optional(spanEdge('end', 'Only what was made at that time or earlier')),
  time_zone: Type.Optional(TimeZone),
};

/** The same, and by what else a row is known. */
export const filterQuery = (reference: string) => ({
  ...timeQuery,
  reference: Type.Optional(explained(text(200), `Only what is known by it: ${reference}`)),
});

/** Throws INVALID_PAGINATION for an offset that only a longer walk than `WALK_MAX` would reach. */
export function requireNear(place: ListOffset, wish: ListRequest): void {
  if (isTooFar(place, wish))
    throw fail(
      'INVALID_PAGINATION',
      `offset must be at most ${SCAN_ROWS_MAX} where only some rows are asked for: go on by created_to instead`,
    );
}
