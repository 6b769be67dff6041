import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { IdInput, integerInput, Json } from '#kernel/http/declare/schema.ts';
import { mount } from '#kernel/http/serve/mount.ts';
import { createServer } from '#kernel/http/serve/server.ts';
import { harness } from '#test/harness.ts';

const h = await harness();

const Row = Type.Object({ a: Type.Optional(Type.Integer()) });
const echo = endpoints(errorEnvelope)('POST /echo/{id}', {
  name: 'things.do',
  auth: 'public',
  summary: 'Tells what the handler was given',
  params: Type.Object({ id: IdInput }),
  query: Type.Object({ limit: Type.Optional(integerInput(1, 10)) }),
  body: Type.Object({ row: Row, rows: Type.Array(Row), whatever: Type.Optional(Json) }),
  reply: { 200: Type.Object({ given: Json }) },
  handler: async ({ params, query, body }) => ({ given: { params, query, body } }),
});

test('a handler is given only what its schemas name, at every depth', async () => {
  const options = { corsOrigins: '', trustProxy: undefined, routes: [echo] };
  const server = await createServer({ ...h.kernel, ...options });
  await server.register(async (api) => mount(api, [echo], h.kernel), { prefix: '/api' });
  const whatever = { role: 'kept, since anything was asked for' };
  const told = await server.inject({
    method: 'POST',
    url: '/api/echo/7?limit=2',
    payload: {
      row: { a: 1, role: 'admin' },
      rows: [{ a: 2, client_id: 1 }, { b: [{ c: 1 }] }],
      whatever,
      role: 'admin',
      user_id: 1,
    },
  });
  await server.close();
  expect([told.statusCode, told.json()]).toEqual([
    200,
    {
      given: {
        params: { id: 7 },
        query: { limit: 2 },
        body: { row: { a: 1 }, rows: [{ a: 2 }, {}], whatever },
      },
    },
  ]);
});

test('a query parameter that is not declared is refused, and the known ones are named', async () => {
  const [status, body] = await h.call('GET /fx/quote', {
    query: { from: 'USD', to: 'IDR', amount: 1, currency: 'USD' },
  });
  expect([status, body.error]).toMatchObject([
    400,
    {
      code: 'VALIDATION_ERROR',
      message: 'Unknown query parameter currency: known are from, to, amount',
      details: [{ field: 'currency', message: 'is not known here' }],
    },
  ]);
  const bare = await h.call('GET /fx/rates', { query: { limit: 1 } });
  expect(bare).toMatchObject([
    400,
    { error: { message: 'Unknown query parameter limit: there are none here' } },
  ]);
});
