import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { filterQuery, pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged } from '#kernel/http/declare/route.ts';
import { integerInput } from '#kernel/http/declare/schema.ts';
import { mount } from '#kernel/http/serve/mount.ts';
import { createServer } from '#kernel/http/serve/server.ts';
import { harness } from '#test/harness.ts';
import { CSV_ROWS_MAX } from './csv-answer.ts';

/** Lists that behave as lists do: they grow, are long without end, or fail half way. */
const h = await harness();
const endpoint = endpoints(flatEnvelope);
const items = Type.Array(Type.Object({ id: Type.Integer() }));
const rowsFrom = (newest: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: newest - n }));
let serial = 0;
const nextName = () => {
  serial += 1;
  return serial;
};

/** Pages by `before`, as long as ids are above zero; `onPage` may spoil what it likes. */
const listOf = (newest: number, onPage: (page: number) => void = () => undefined) => {
  let page = 0;
  return endpoint(`GET /lists/${nextName()}`, {
    name: 'lists.read',
    auth: 'public',
    summary: 'A list',
    csv: 'items',
    query: Type.Object(pageQuery(1000)),
    reply: { 200: Type.Object({ items }) },
    async handler({ query: { limit = 1, before = newest + 1 } }) {
      page += 1;
      onPage(page);
      const rows = rowsFrom(before - 1, Math.min(limit, before - 1));
      const last = rows.at(-1)?.id ?? 1;
      return new Paged({ items: rows }, last > 1 ? last : null);
    },
  });
};

async function read(route: ReturnType<typeof listOf>): Promise<Response> {
  const options = { corsOrigins: '', trustProxy: undefined, routes: [route] };
  const server = await createServer({ ...h.kernel, ...options });
  await server.register(async (api) => mount(api, [route], h.kernel), { prefix: '/api' });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const reply = await fetch(`${address}/api${route.id.slice(4)}`, {
    headers: { accept: 'text/csv' },
  });
  void reply
    .clone()
    .text()
    .catch(() => '')
    .then(() => server.close());
  return reply;
}
const linesOf = async (reply: Response) => (await reply.text()).trimEnd().split('\r\n');

test('all pages follow each other, newest first', async () => {
  const lines = await linesOf(await read(listOf(2500)));
  expect(lines).toEqual(['id', ...rowsFrom(2500, 2500).map(({ id }) => `${id}`)]);
});

test('a table has an end, however long its list is', async () => {
  let pages = 0;
  const reply = await read(listOf(1_000_000, (page) => (pages = page)));
  expect(await linesOf(reply)).toHaveLength(CSV_ROWS_MAX + 1);
  expect(pages).toBe(CSV_ROWS_MAX / 1000);
});

test('what fails at once is an answer like any other, and half a table is never taken for the whole', async () => {
  const broken = (at: number) =>
    listOf(9000, (page) => {
      if (page === at) throw new Error('Broken');
    });
  const first = await read(broken(1));
  expect([first.status, first.headers.get('content-type')]).toEqual([
    500,
    'application/json; charset=utf-8',
  ]);
  const later = await read(broken(4));
  expect(later.status).toBe(200);
  await expect(later.text()).rejects.toThrow();
});

test('counted pages are those of the moment in which the table was asked for', async () => {
  const asked: (string | undefined)[] = [];
  let newest = 30;
  const growing = endpoint(`GET /lists/${nextName()}`, {
    name: 'lists.count',
    auth: 'public',
    summary: 'A list',
    csv: 'items',
    query: Type.Object({
      limit: Type.Optional(integerInput(1, 10)),
      offset: Type.Optional(integerInput(0, 1000)),
      ...filterQuery('its name'),
    }),
    reply: {
      200: Type.Object({
        items,
        pagination: Type.Object({
          limit: Type.Integer(),
          offset: Type.Integer(),
          has_more: Type.Boolean(),
        }),
      }),
    },
    async handler({ query: { limit = 1, offset = 0, created_to } }) {
      asked.push(created_to);
      // What was there at that time; without one, all that is there by now.
      const all = created_to === undefined ? newest : 30;
      newest += 7;
      const has_more = offset + limit < all;
      const found = rowsFrom(all - offset, Math.min(limit, all - offset));
      return { items: found, pagination: { limit, offset, has_more } };
    },
  });
  const lines = await linesOf(await read(growing));
  expect(lines).toEqual(['id', ...rowsFrom(30, 30).map(({ id }) => `${id}`)]);
  expect(asked).toHaveLength(3);
  expect(new Set(asked).size).toBe(1);
  expect(Date.parse(asked[0] ?? '')).not.toBeNaN();
});
