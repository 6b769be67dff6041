import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Column, declaredColumnsOf, headLine, rowLine } from '#kernel/http/declare/csv.ts';
import { countsPages, type Next } from '#kernel/http/declare/page.ts';
import type { AnyEndpoint } from '#kernel/http/declare/route.ts';
import type { Clock } from '../../clock.ts';
import { SCAN_ROWS_MAX } from '../../db/counted-list.ts';
import type { CeilingShares } from '../../quota/shares.ts';

/** A whole table has no more rows than these; what comes after them is asked for by `created_to`. */
export const CSV_ROWS_MAX = 50_000;
/** And is made of so many pages: some find little in what they look through. */
const PAGES_MAX = 1000;
/** The longest that one transfer may take: a slow reader keeps others waiting. */
const SEND_MS = 5 * 60_000;

/** A page of a list as its JSON has it, and what the request for the next one says. */
export interface CsvPage {
  readonly body: unknown;
  readonly next: Next | undefined;
}

type Query = Readonly<Record<string, unknown>>;
type ReadPage = (query: Query) => Promise<CsvPage>;

/** Whether a table is wanted rather than JSON: `Accept: text/csv`. */
export function wantsCsv({ headers: { accept } }: Pick<FastifyRequest, 'headers'>): boolean {
  if (accept === undefined || !accept.includes('text/csv')) return false;
  const wish = (type: string): number => {
    const [found] = accept.split(',').filter((one) => one.split(';')[0]?.trim() === type);
    return found === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(found)?.[1] ?? 1);
  };
  return wish('text/csv') > wish('application/json');
}

/** The rows that a list's answer has at the place that its endpoint names. */
export function rowsOf({ csv = '' }: Pick<AnyEndpoint, 'csv'>, body: unknown): unknown[] {
  const names = csv.split('.').filter((name) => name !== '');
  const rows = names.reduce((value, name) => (value as Query)[name], body);
  return rows as unknown[];
}

/** The columns of a list's table. */
export function csvColumns({ csv = '', reply }: Pick<AnyEndpoint, 'csv' | 'reply'>) {
  const names = csv.split('.').filter((name) => name !== '');
  const fields = (schema: object, name: string) =>
    (schema as { properties: Record<string, object> }).properties[name] ?? {};
  const { items } = names.reduce(fields, reply[200] as object) as { items: object };
  return declaredColumnsOf(items);
}

/** Sends a table; refused like any other answer where its first page is. */
export type SendCsv = (
  request: FastifyRequest,
  reply: FastifyReply,
  read: ReadPage,
) => Promise<void>;

interface CsvDeps {
  readonly clock: Clock;
  readonly shares: Pick<CeilingShares, 'enter'>;
}

/**
 * Sends a list as a table, page after page as it is taken, each read like any other page and by the same rules. With a
 * `limit` it is that one page. What fails later than at the first page ends the connection, so that no reader takes
 * half a table for the whole.
 */
export function csvSender(endpoint: AnyEndpoint, { clock, shares }: CsvDeps): SendCsv {
  const columns = csvColumns(endpoint);
  const filename = `${endpoint.name.replace('.', '-')}.csv`;
  return async (request, reply, read) => {
    const asked = request.query as Query;
    const query = wholeQuery(endpoint, asked, clock);
    const isOnePage = asked['limit'] !== undefined || request.method === 'HEAD';
    const leave = await shares.enter('tables', request);
    try {
      const first = await read(query);
      const pages = isOnePage ? [first] : pagesFrom(first, { endpoint, query, read });
      const stream = Readable.from(textsOf(endpoint, columns, pages), { objectMode: false });
      endWith(stream, leave);
      // Only a table of one page says where the list goes on.
      if (!isOnePage) reply.removeHeader('link');
      reply.header('content-disposition', `attachment; filename="${filename}"`);
      reply.type('text/csv; charset=utf-8; header=present').send(stream);
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/** What is added meanwhile would move counted pages on, and a row from one to the next. */
function wholeQuery({ query }: AnyEndpoint, asked: Query, clock: Clock): Query {
  const { properties } = query as unknown as Limited;
  const { limit = properties.limit.max, created_to = clock.now().toISOString() } = asked;
  return { ...asked, limit, ...(countsPages(query) && { created_to }) };
}

interface Reading {
  readonly endpoint: AnyEndpoint;
  readonly query: Query;
  readonly read: ReadPage;
}

async function* pagesFrom(first: CsvPage, { endpoint, query, read }: Reading) {
  const rowsMax = countsPages(endpoint.query) ? SCAN_ROWS_MAX : CSV_ROWS_MAX;
  let page = first;
  let rows = 0;
  for (let n = 1; ; n += 1) {
    yield page;
    rows += rowsOf(endpoint, page.body).length;
    if (!page.next || n === PAGES_MAX || rows >= rowsMax) return;
    page = await read({ ...query, ...page.next });
  }
}

async function* textsOf(
  endpoint: AnyEndpoint,
  columns: readonly Column[],
  pages: AsyncIterable<CsvPage> | Iterable<CsvPage>,
) {
  yield headLine(columns);
  for await (const { body } of pages) {
    const lines = rowsOf(endpoint, body).map((row) => rowLine(columns, row));
    // None where nothing of what was looked through is wanted.
    if (lines.length > 0) yield lines.join('');
  }
}

/** However it ends, its place is free then. */
function endWith(stream: Readable, leave: () => void): void {
  const late = setTimeout(
    () => stream.destroy(new Error('The caller does not read the answer')),
    SEND_MS,
  ).unref();
  stream.once('close', () => {
    clearTimeout(late);
    leave();
  });
}

interface Limited {
  readonly properties: { readonly limit: { readonly max: number } };
}
