import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { afterAll, expect, test } from 'vitest';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { Json } from '#kernel/http/declare/schema.ts';
import { harness } from '#test/harness.ts';
import { mount } from './mount.ts';
import { createServer } from './server.ts';

const h = await harness();
const endpoint = endpoints(errorEnvelope);
const told = {
  name: 'things.do',
  auth: 'public',
  summary: 'Tells what the handler was given',
  reply: { 200: Type.Object({ body: Json, raw: Type.String() }) },
} as const;
const routes = [
  endpoint('POST /fields', {
    ...told,
    body: Json,
    handler: async ({ body, request }) => ({ body, raw: request.raw.toString() }),
  }),
  endpoint('POST /form', {
    ...told,
    takesForm: true,
    body: Json,
    handler: async ({ body, request }) => ({ body, raw: request.raw.toString() }),
  }),
  endpoint('POST /signed', {
    ...told,
    signed: (raw, { 'x-length': length }) => raw.length === Number(length),
    handler: async ({ body, request }) => ({ body: body ?? null, raw: request.raw.toString() }),
  }),
];
const server = await createServer({
  ...h.kernel,
  corsOrigins: '',
  trustProxy: undefined,
  routes,
});
await server.register(async (api) => mount(api, routes, h.kernel), { prefix: '/api' });
const url = await server.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => server.close());

async function send(
  path: string,
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
) {
  const reply = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  });
  const text = await reply.text();
  return [reply.status, JSON.parse(text)];
}

test('what is parsed is JSON in UTF-8, with a mark in front or without', async () => {
  expect(await send('/fields', '{"a":"é"}')).toMatchObject([200, { body: { a: 'é' } }]);
  expect(await send('/fields', '\ufeff[1]')).toMatchObject([200, { body: [1] }]);
  expect(await send('/fields', '[1')).toMatchObject([400, { code: 'MALFORMED_JSON' }]);
});

test('bytes that are no UTF-8 are refused, whatever they are said to be', async () => {
  const latin = new Uint8Array(Buffer.from('{"name":"Caf\xe9"}', 'latin1'));
  expect(await send('/fields', latin)).toMatchObject([
    400,
    { code: 'MALFORMED_JSON', error: 'Body is not UTF-8' },
  ]);
  const of = (charset: string) => ({ 'content-type': `application/json; charset=${charset}` });
  for (const charset of ['iso-8859-1', 'utf-16', '"latin1"'])
    expect(await send('/fields', latin, of(charset)), charset).toMatchObject([
      415,
      {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        error: `The character set ${charset.replaceAll('"', '')} is not supported`,
      },
    ]);
  for (const charset of ['utf-8', 'UTF8', '"utf-8"'])
    expect((await send('/fields', '{"a":"é"}', of(charset)))[0], charset).toBe(200);
});

test('a packed body is refused by the name of its packing, which is answered with the one we take', async () => {
  for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, br']) {
    const packed = new Uint8Array(gzipSync('{"a":1}'));
    expect(await send('/fields', packed, { 'content-encoding': coding })).toMatchObject([
      415,
      { code: 'UNSUPPORTED_MEDIA_TYPE', error: `Content-Encoding ${coding} is not supported` },
    ]);
  }
  const reply = await fetch(`${url}/api/fields`, {
    method: 'POST',
    body: new Uint8Array(gzipSync('{}')),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect(reply.headers.get('accept-encoding')).toBe('identity');
  expect((await send('/fields', '{"a":1}', { 'content-encoding': 'identity' }))[0]).toBe(200);
});

test('a field that is given twice is refused at any depth, however its name is written', async () => {
  for (const body of [
    '{"amount":1,"amount":2}',
    '{"amount":1,"amo\\u0075nt":2}',
    '[{"a":[{"amount":{}, "x":1,"amount" : []}]}]',
  ])
    expect(await send('/fields', body), body).toMatchObject([
      400,
      {
        code: 'DUPLICATE_FIELD',
        error: 'Body has the field amount twice',
        details: [{ field: 'amount', message: 'is given twice' }],
      },
    ]);
  const [status, told] = await send('/fields', '{"4111111111111111":1,"4111111111111111":1}');
  expect([status, told.error]).toEqual([400, 'Body has a field twice']);
  for (const body of ['{"a":{"b":1},"b":{"b":2}}', '{"a":"\\"a\\":1","b":["a","a"]}'])
    expect((await send('/fields', body))[0], body).toBe(200);
});

test('names that would change what an object is are refused, however they are written', async () => {
  for (const body of [
    '{"__proto__":1}',
    '{"a":[{"__proto__":{"x":1}}]}',
    '{"\\u005f_proto__":1}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"\\u0063onstructor":{"prototyp\\u0065":1}}',
  ])
    expect(await send('/fields', body), body).toMatchObject([400, { code: 'MALFORMED_JSON' }]);
  for (const body of ['{"constructor":1}', '{"constructor":{"a":1}}', '["__proto__"]'])
    expect((await send('/fields', body))[0], body).toBe(200);
});

test('text that cannot be stored is refused as such', async () => {
  for (const body of ['["\\u0000"]', '{"\\u0000":1}', '["\\ud800"]'])
    expect(await send('/fields', body), body).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
});

test('a body that does not say how long it is has the same bounds', async () => {
  const pieces = (count: number) =>
    new Blob(['"', ...Array<string>(count).fill('x'.repeat(1024)), '"']).stream();
  expect((await send('/fields', pieces(60)))[0]).toBe(200);
  expect(await send('/fields', pieces(900))).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }]);
});

test('bytes are given only where they are proven, and are never parsed there', async () => {
  expect(await send('/fields', '[1]')).toEqual([200, { body: [1], raw: '' }]);
  const forged = [401, { code: 'INVALID_SIGNATURE' }];
  expect(await send('/signed', 'no json', { 'x-length': '7' })).toEqual([
    200,
    { body: null, raw: 'no json' },
  ]);
  expect(await send('/signed', '[1]', { 'x-length': '4' })).toMatchObject(forged);
  expect(await send('/signed', '[1]')).toMatchObject(forged);
  expect(await send('/signed')).toMatchObject(forged);
  expect(await send('/signed', undefined, { 'x-length': '0' })).toEqual([
    200,
    { body: null, raw: '' },
  ]);
});

test('who names the kind of a body and sends none, nor its length, is answered', async () => {
  const say = async (type: string) => {
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port) });
    await once(socket, 'connect');
    const head = ['POST /api/fields HTTP/1.1', 'host: here', 'connection: close'];
    socket.write([...head, `content-type: ${type}`, '', ''].join('\r\n'));
    return text(socket);
  };
  expect(await say('application/json')).toMatch(/^HTTP\/1.1 200 .*"body":\{\}/s);
  expect(await say('text/plain')).toMatch(/^HTTP\/1.1 415 /);
});

test('a form is taken where the endpoint says so, once a field, without what is blank', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await send('/form', 'name=Siti+R%C3%A4&note=+&n=1', form)).toMatchObject([
    200,
    { body: { name: 'Siti Rä', n: '1' } },
  ]);
  expect(await send('/form', '{"a":1}')).toMatchObject([200, { body: { a: 1 } }]);
  expect(await send('/form', 'a=1&a=2', form)).toMatchObject([400, { code: 'DUPLICATE_FIELD' }]);
  expect(await send('/form', 'a=%00', form)).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  expect(await send('/form', '__proto__=1', form)).toMatchObject([400, { code: 'MALFORMED_JSON' }]);
  expect((await send('/fields', 'a=1', form))[0]).toBe(415);
});
