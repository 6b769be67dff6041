import Fastify from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { fail } from '#kernel/error.ts';
import {
  codedEnvelope,
  type Envelope,
  errorCodeEnvelope,
  errorEnvelope,
  flatEnvelope,
  statusEnvelope,
  withFaultsOf,
} from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { AmountInput, Id, IdInput, MomentInput, Timestamp } from '#kernel/http/declare/schema.ts';
import { requestCompiler, storable } from '#kernel/http/declare/wire.ts';

const envelope = {
  at: '2026-01-01T00:00:00.000Z',
  requestId: 'r-1',
  publicUrl: () => 'http://here',
};
const error = fail('NOT_FOUND', 'Order not found', {
  details: [1],
  extra: { available: ['y'] },
  hint: 'x',
});
const more = { available: ['y'], hint: 'x', doc_url: 'http://here/docs/errors/NOT_FOUND' };

test.each<[string, Envelope, object]>([
  [
    'flat',
    flatEnvelope,
    {
      success: false,
      error: 'Order not found',
      code: 'NOT_FOUND',
      details: [1],
      ...more,
      request_id: 'r-1',
    },
  ],
  [
    'plain',
    errorEnvelope,
    { error: 'Order not found', code: 'NOT_FOUND', details: [1], ...more, request_id: 'r-1' },
  ],
  [
    'coded',
    codedEnvelope,
    {
      success: false,
      error: { code: 'NOT_FOUND', message: 'Order not found', details: [1], ...more },
      timestamp: envelope.at,
      request_id: 'r-1',
    },
  ],
  [
    'banking',
    statusEnvelope,
    {
      status: 'FAILED',
      message: 'Order not found',
      error: [1],
      code: 'NOT_FOUND',
      ...more,
      request_id: 'r-1',
    },
  ],
  [
    'exchange',
    errorCodeEnvelope,
    {
      success: false,
      error_code: 'NOT_FOUND',
      message: 'Order not found',
      details: [1],
      ...more,
      timestamp: envelope.at,
      request_id: 'r-1',
    },
  ],
])('one error in the %s envelope', (_name, form, body) => {
  expect(form.error(error, envelope)).toEqual(body);
});

test('an envelope can borrow the shape of its server faults from another', () => {
  const form = withFaultsOf(errorEnvelope, statusEnvelope);
  expect(form.error(fail('INTERNAL', 'Broken'), envelope)).toMatchObject({ error: 'Broken' });
  expect(form.error(error, envelope)).toMatchObject({ status: 'FAILED' });
});

const check = (schema: object) => {
  const body = { type: 'object', properties: { v: schema }, required: ['v'] };
  const validate = requestCompiler()({ schema: body, method: 'POST', url: '/' });
  return (v: unknown) => {
    const sent = { v };
    return validate(sent) ? sent.v : 'refused';
  };
};

test('an id is a positive integer or its exact text, and nothing that merely looks like one', () => {
  const id = check(IdInput);
  expect([1, '1', 2_147_483_647, '42'].map(id)).toEqual([1, 1, 2_147_483_647, 42]);
  for (const bad of [
    0,
    -1,
    1.5,
    2_147_483_648,
    '',
    ' 1',
    '01',
    '1e3',
    '0x1',
    null,
    true,
    [],
    {},
    Number.NaN,
  ])
    expect(id(bad)).toBe('refused');
});

test('an amount is a positive decimal, as a number that a double holds exactly or as text', () => {
  const amount = check(AmountInput);
  expect([1, 0.1, '0.10', '1000000000000000000.5'].map(amount)).toEqual([
    '1',
    '0.1',
    '0.10',
    '1000000000000000000.5',
  ]);
  expect([1e-7, 2.15e-8, 1e-18].map(amount)).toEqual([
    '0.0000001',
    '0.0000000215',
    '0.000000000000000001',
  ]);
  const huge = '9'.repeat(31);
  for (const bad of [
    0,
    -1,
    1e21,
    1e-19,
    -1e-7,
    '0',
    '0.00',
    '-1',
    '1e3',
    '.5',
    '5.',
    '+1',
    '1,5',
    huge,
    2 ** 53,
    null,
    true,
    '',
  ])
    expect(amount(bad)).toBe('refused');
});

test('a moment is one that the database keeps and a reply prints with four digits of year', () => {
  const moment = check(Timestamp);
  for (const good of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123+07:00'])
    expect(moment(good)).toBe(good);
  for (const bad of [
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    0,
    null,
  ])
    expect(moment(bad)).toBe('refused');
});

test('a moment in a request may leave out what ISO 8601 lets it, and is UTC then', () => {
  const moment = check(MomentInput);
  const given = [
    '2026-03-04',
    '2026-03-04T05:06',
    '2026-03-04T05:06:07.123456',
    '2026-03-04T05:06:07+07:00',
    '2026-03-04T05:06:07+07',
    '2026-03-04T05:06:07-0730',
    '2026-03-04T05:06:07,5Z',
  ];
  expect(given.map(moment)).toEqual([
    '2026-03-04T00:00:00.000Z',
    '2026-03-04T05:06:00.000Z',
    '2026-03-04T05:06:07.123Z',
    '2026-03-03T22:06:07.000Z',
    '2026-03-03T22:06:07.000Z',
    '2026-03-04T12:36:07.000Z',
    '2026-03-04T05:06:07.500Z',
  ]);
  for (const bad of ['2026-02-30', '2026-03-04T24:00', '0000-01-01', '1772600767', 0, null, 'soon'])
    expect(moment(bad)).toBe('refused');
});

test('text with NUL or half a character, and documents like towers or deserts, are not storable', () => {
  expect(storable({ a: ['ok', { b: '😀' }] })).toBe(true);
  expect(storable({ a: 'x\0y' })).toBe(false);
  expect(storable({ 'k\0': 1 })).toBe(false);
  expect(storable(['\ud800'])).toBe(false);
  const tower = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 1);
  expect(storable(tower)).toBe(false);
  expect(storable({ list: Array(60_000).fill(1) })).toBe(false);
});

test('what a reply schema does not name is not sent', async () => {
  const server = Fastify();
  server.get('/', { schema: { response: { 200: Type.Object({ id: Id }) } } }, async () => ({
    id: 1,
    password: 'x',
  }));
  expect((await server.inject('/')).json()).toEqual({ id: 1 });
});

test('the kind of caller follows from the declared auth', () => {
  const endpoint = endpoints(errorEnvelope);
  const reply = { 200: Type.Object({ id: Id }) };
  endpoint('GET /a', {
    name: 'things.do',
    auth: 'user',
    summary: 'a',
    reply,
    handler: async ({ caller }) => ({ id: caller.user_id }),
  });
  endpoint('GET /b', {
    name: 'things.do',
    auth: 'key',
    summary: 'b',
    reply,
    // @ts-expect-error a key caller is nobody in particular
    handler: async ({ caller }) => ({ id: caller.user_id }),
  });
  endpoint('GET /c', {
    name: 'things.do',
    auth: 'public',
    summary: 'c',
    reply,
    // @ts-expect-error a public endpoint has no caller
    handler: async ({ caller }) => ({ id: caller.key.key_id }),
  });
  endpoint('GET /d', {
    name: 'things.do',
    auth: 'public',
    summary: 'd',
    reply,
    // @ts-expect-error the reply must be what was declared
    handler: async () => ({ name: 'x' }),
  });
  // @ts-expect-error there is no such method
  endpoint('FETCH /e', { auth: 'public', summary: 'e', reply, handler: async () => ({ id: 1 }) });
});
