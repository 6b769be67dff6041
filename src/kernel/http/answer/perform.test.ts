import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { missingFields } from '#kernel/http/declare/faults.ts';
import { at, endpoints, type UserCaller } from '#kernel/http/declare/route.ts';
import { Id, IdInput, stamped, text } from '#kernel/http/declare/schema.ts';
import { transact } from '#kernel/transact.ts';
import { harness } from '#test/harness.ts';
import { createPerform } from './perform.ts';

const h = await harness();
const endpoint = endpoints(codedEnvelope);
const request = { id: 'r', ip: '127.0.0.1', userAgent: '', headers: {}, raw: Buffer.alloc(0) };
const caller: UserCaller = {
  key: null,
  user_id: 1,
  client_id: 1,
  role: 'user',
  operator: false,
  session_id: '',
};
const withScopes = (...scopes: string[]): UserCaller => ({
  ...caller,
  key: { key_id: 1, client_id: 1, user_id: 1, scopes },
});
const by = { caller, request };
const operation = randomUUID();

const made = endpoint('POST /things/{id}', {
  name: 'things.do',
  auth: 'user',
  summary: 'Makes a thing',
  params: Type.Object({ id: IdInput }),
  body: Type.Object({ name: text(5) }),
  reply: {
    200: stamped({ message: Type.String() }),
    201: stamped({ data: Type.Object({ id: Id, name: Type.String(), operation: Type.String() }) }),
  },
  invalid: missingFields,
  atomic: true,
  async handler({ params, body, db, operation }) {
    if (!db.isTransaction) throw new Error('It has no transaction');
    const data = { ...params, ...body, operation, secret_column: 'hidden' };
    return at(201, { data });
  },
});
const administered = endpoint('GET /things', {
  name: 'things.do',
  auth: 'admin',
  summary: 'Lists them all',
  reply: { 200: stamped({ message: Type.String() }) },
  handler: async () => ({ message: 'All of them' }),
});
const perform = createPerform(h.kernel, () => [made, administered]);

test('what is performed is what the endpoint would answer, and no more of it', async () => {
  const wish = { params: { id: '7' }, body: { name: 'Ada', admin: true }, operation };
  expect(await perform('POST /things/{id}', by, wish)).toEqual({
    data: { id: 7, name: 'Ada', operation },
  });
  // What was handed over is as it was.
  expect(wish.params.id).toBe('7');
});

test.each([
  [{ params: { id: 7 }, operation }, 'MISSING_FIELDS'],
  [{ params: { id: 0 }, body: { name: 'Ada' }, operation }, 'VALIDATION_ERROR'],
  [{ params: { id: 7 }, body: { name: 'Adelaide' }, operation }, 'VALIDATION_ERROR'],
])('%j is refused in the endpoint’s own words', async (wish, code) => {
  await expect(perform('POST /things/{id}', by, wish)).rejects.toMatchObject({ code, status: 400 });
});

test('it is part of the transaction that it is given', async () => {
  const wish = { params: { id: 7 }, body: { name: 'Ada' }, operation };
  await transact(h.db, async (tx) => {
    expect(await perform('POST /things/{id}', by, { ...wish, tx })).toMatchObject({
      data: { name: 'Ada' },
    });
  });
});

test('a key opens by it what it opens by itself', async () => {
  const wish = { params: { id: 7 }, body: { name: 'Ada' }, operation };
  const refused = { caller: withScopes('agent:*'), request };
  await expect(perform('POST /things/{id}', refused, wish)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  for (const scope of ['*', 'things:*', 'things:write'])
    await perform('POST /things/{id}', { caller: withScopes(scope), request }, wish);
});

test('only endpoints for users can be asked for', async () => {
  await expect(perform('GET /things', by, { operation })).rejects.toThrow('no endpoint for users');
  await expect(perform('GET /nothing', by, { operation })).rejects.toThrow('no endpoint');
});
