import { Type } from 'typebox';
import { named } from './named.ts';
import { integerInput, Nullable } from './schema.ts';
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
export function nextPageLink(publicUrl: string, requested: string, next: number | string): string {
  const address = new URL(`${publicUrl}${requested}`);
  address.searchParams.set('before', String(next));
  return `<${address}>; rel="next"`;
}

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
