import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { WALK_MAX } from '../db/kept-list.ts';
import { columnsOf, headLine, rowLine } from './csv.ts';
import { fail } from './error.ts';
import { countsPages, type Next } from './page.ts';
import type { AnyEndpoint } from './route.ts';

/** A whole table has no more rows than these; what comes after them is asked for by `created_to`. */
export const CSV_ROWS_MAX = 50_000;
/** And is made of so many pages: some find little in what they look through. */
const PAGES_MAX = 1000;
/** Tables that are sent at the same time, in this process and to one caller. */
const SENT_MAX = 20;
const OF_ONE_MAX = 2;
/** Nobody has to take longer for one; those who do keep others waiting. */
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
  return columnsOf(items);
}

/**
 * Sends a list as a table, page after page as it is taken, each read like any other page and by the same rules. With a
 * `limit` it is that one page. What fails later than at the first page ends the connection, so that nobody takes
 * half a table for the whole.
 */
export function csvSender(endpoint: AnyEndpoint, clock: Clock) {
  const columns = csvColumns(endpoint);
  const { properties } = endpoint.query as unknown as Limited;
  const isCounted = countsPages(endpoint.query);
  const rowsMax = isCounted ? WALK_MAX : CSV_ROWS_MAX;
  /** What is added meanwhile would move counted pages on, and a row from one to the next. */
  const untilNow = ({ created_to = clock.now().toISOString() }: Query): Query =>
    isCounted ? { created_to } : {};

  return async (request: FastifyRequest, reply: FastifyReply, read: ReadPage) => {
    const asked = request.query as Query;
    const limit = asked['limit'] ?? properties.limit.max;
    const query = { ...asked, ...untilNow(asked), limit };
    const isOnePage = asked['limit'] !== undefined || request.method === 'HEAD';
    const leave = enter(ownerOf(request));
    try {
      const first = await read(query);
      const lines = linesOf(query, first);
      const stream = Readable.from(isOnePage ? lines.first : lines.all(), { objectMode: false });
      const late = setTimeout(() => stream.destroy(new Error('Nobody takes it')), SEND_MS).unref();
      stream.once('close', () => {
        clearTimeout(late);
        leave();
      });
      const name = endpoint.name.replace('.', '-');
      reply.header('content-disposition', `attachment; filename="${name}.csv"`);
      // Only a table of one page says where the list goes on.
      if (!isOnePage) reply.removeHeader('link');
      reply.type('text/csv; charset=utf-8; header=present').send(stream);
    } catch (error) {
      leave();
      throw error;
    }

    function linesOf(whole: Query, { body, next }: CsvPage) {
      const textOf = (page: unknown) =>
        rowsOf(endpoint, page)
          .map((row) => rowLine(columns, row))
          .join('');
      const begun = [headLine(columns) + textOf(body)];
      async function* all() {
        yield* begun;
        let rows = rowsOf(endpoint, body).length;
        let after = next;
        for (let page = 1; after && page < PAGES_MAX && rows < rowsMax; page += 1) {
          const found = await read({ ...whole, ...after });
          rows += rowsOf(endpoint, found.body).length;
          after = found.next;
          // Nothing where none of what was looked through is wanted.
          if (rowsOf(endpoint, found.body).length > 0) yield textOf(found.body);
        }
      }
      return { first: begun, all };
    }
  };
}

interface Limited {
  readonly properties: { readonly limit: { readonly max: number } };
}

const sent = new Map<string, number>();

/** Takes one of the places; answers how to give it back, once. */
function enter(owner: string): () => void {
  const own = sent.get(owner) ?? 0;
  const all = [...sent.values()].reduce((sum, count) => sum + count, 0);
  if (own >= OF_ONE_MAX || all >= SENT_MAX)
    throw fail('OVERLOADED', 'Other tables are being sent, try again shortly', { retryAfter: 5 });
  sent.set(owner, own + 1);
  let isIn = true;
  return () => {
    if (!isIn) return;
    isIn = false;
    const left = (sent.get(owner) ?? 1) - 1;
    if (left === 0) sent.delete(owner);
    else sent.set(owner, left);
  };
}

const ownerOf = ({ caller, ip }: FastifyRequest): string =>
  caller && 'user_id' in caller ? `user ${caller.user_id}` : ip;
