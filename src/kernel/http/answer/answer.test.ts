import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { mount } from '#kernel/http/serve/mount.ts';
import { createServer } from '#kernel/http/serve/server.ts';
import { harness } from '#test/harness.ts';

const h = await harness();

test('what became of a request is told also when its key cannot be given back', async () => {
  const details = { reference_id: 'TOPUP-ABC', status: 'PENDING' };
  const route = endpoints(errorEnvelope)('POST /things', {
    name: 'things.do',
    auth: 'public',
    summary: 'Does not end',
    reply: { 200: Type.Object({}) },
    async handler() {
      await run(h.db, 'alter table idempotency_keys rename to away', []);
      throw fail('PROVIDER_UNAVAILABLE', 'Not confirmed yet', { details });
    },
  });
  const options = { corsOrigins: '', trustProxy: undefined, routes: [route] };
  const server = await createServer({ ...h.kernel, ...options });
  await server.register(async (api) => mount(api, [route], h.kernel), { prefix: '/api' });
  const headers = { 'idempotency-key': randomUUID() };
  const reply = await server.inject({ method: 'POST', url: '/api/things', headers });
  await run(h.db, 'alter table away rename to idempotency_keys', []);
  expect(reply.json()).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', details });
  expect(reply.statusCode).toBe(503);
  expect(h.logs.some((line) => line.includes('could not be given back'))).toBe(true);
  await server.close();
});
