import { Type } from 'typebox';
import { afterAll, expect, test } from 'vitest';
import { type AppError, type Code, fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { at, endpoints } from '#kernel/http/declare/route.ts';
import { textInput } from '#kernel/http/declare/schema.ts';
import { transact } from '#kernel/transact.ts';
import { harness } from '#test/harness.ts';
import { mount } from './mount.ts';
import { createServer } from './server.ts';

/** What the head of a failure says of it: whether to try again, and what is known of the call. */
const h = await harness();

let thrown: AppError | Error = fail('CONFLICT', 'No');
let acts = false;
const act = endpoints(codedEnvelope)('POST /things', {
  name: 'things.act',
  auth: 'key',
  summary: 'Fails',
  requiresKey: true,
  body: Type.Object({ name: textInput(10) }),
  reply: { 200: Type.Object({}), 418: Type.Object({ no: Type.String() }) },
  handler: async ({ db, body: { name } }) => {
    if (acts) await transact(db, (tx) => tx.selectFrom('effects').select('id').limit(1).execute());
    if (name === 'replied') return at(418, { no: 'tea' });
    throw thrown;
  },
});
const read = endpoints(codedEnvelope)('GET /things', {
  name: 'things.read',
  auth: 'public',
  summary: 'Fails',
  reply: { 200: Type.Object({}) },
  handler: async () => {
    throw thrown;
  },
});

const routes = [act, read];
const options = { corsOrigins: '', trustProxy: undefined, routes };
const server = await createServer({ ...h.kernel, ...options });
await server.register(async (api) => mount(api, routes, h.kernel), { prefix: '/api' });
const url = await server.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => server.close());

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const headers = { 'x-api-key': h.key, 'content-type': 'application/json' };

async function told({ method = 'POST', path = '/api/things', ...sent }: Sent = {}) {
  const key = { 'idempotency-key': crypto.randomUUID() };
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...key, ...sent.headers },
    ...(method !== 'GET' && { body: sent.body ?? '{"name":"x"}' }),
  });
  const { error } = (await answer.json()) as { error?: { code: string } };
  const [retry, outcome] = ['x-should-retry', 'x-archipay-outcome'].map((n) =>
    answer.headers.get(n),
  );
  return { code: error?.code ?? String(answer.status), retry, outcome, head: answer.headers };
}
const failing = async (error: AppError | Error, afterActing = false) => {
  thrown = error;
  acts = afterActing;
  const { code, retry, outcome } = await told();
  return [code, retry, outcome];
};
const with_ = (code: Code, more = {}) => fail(code, 'No', more);

test('what moves money and names no key is refused before its body is looked at', async () => {
  const answer = await fetch(`${url}/api/things`, { method: 'POST', headers, body: '{{{' });
  const body = (await answer.json()) as { error: { code: string; hint: string } };
  expect([answer.status, body.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
  expect(answer.headers.get('x-archipay-outcome')).toBe('not-begun');
  // Credentials come first.
  const stranger = await fetch(`${url}/api/things`, { method: 'POST' });
  expect(((await stranger.json()) as typeof body).error.code).toBe('API_KEY_MISSING');
});

test('a request that never reached its handler has begun nothing', async () => {
  const bodies = ['{"name":" "}', '{"name":"x","nmae":"y"}', '{', '{"name":"a\\u0000"}'];
  for (const body of bodies)
    expect(await told({ body })).toMatchObject({ retry: 'false', outcome: 'not-begun' });
  const others: Sent[] = [
    { headers: { 'x-api-key': 'ak_wrong' } },
    { headers: { 'content-type': 'text/plain' } },
    { path: '/api/nothing' },
    { method: 'PUT' },
    { path: '/api/%zz' },
  ];
  for (const other of others)
    expect(await told(other)).toMatchObject({ retry: 'false', outcome: 'not-begun' });
});

test('a refusal by the handler has decided the call', async () => {
  for (const code of ['CARD_DECLINED', 'INSUFFICIENT_BALANCE', 'NOT_FOUND', 'CONFLICT'] as const)
    expect(await failing(with_(code))).toEqual([code, 'false', 'decided']);
  expect(await failing(with_('ALREADY_REFUNDED'))).toEqual([
    'ALREADY_REFUNDED',
    'false',
    'decided',
  ]);
  expect(await told({ body: '{"name":"replied"}' })).toMatchObject({
    code: '418',
    retry: 'false',
    outcome: 'decided',
  });
});

test('a failure of ours leaves the call unknown, and may be tried again', async () => {
  expect(await failing(new Error('What?'))).toEqual(['INTERNAL', 'true', 'unknown']);
  for (const code of ['OVERLOADED', 'PROVIDER_UNAVAILABLE', 'NOT_READY'] as const)
    expect(await failing(with_(code))).toEqual([code, 'true', 'unknown']);
  expect(await failing(with_('POSITION_LIMIT'))).toEqual(['POSITION_LIMIT', 'false', 'unknown']);
});

test('who says that nothing was begun is believed until something was committed', async () => {
  const outcome = 'not-begun';
  const refusals = [with_('OVERLOADED', { outcome }), with_('RATE_LIMITED')];
  for (const refusal of refusals) {
    expect(await failing(refusal)).toEqual([refusal.code, 'true', 'not-begun']);
    expect(await failing(refusal, true)).toEqual([refusal.code, 'true', 'unknown']);
  }
});

test('a repeated refusal says the same again', async () => {
  [thrown, acts] = [with_('CARD_DECLINED'), false];
  const key = { 'idempotency-key': crypto.randomUUID() };
  for (const replayed of [null, 'true']) {
    const { retry, outcome, head } = await told({ headers: key });
    expect([retry, outcome, head.get('idempotent-replayed')]).toEqual([
      'false',
      'decided',
      replayed,
    ]);
  }
  const { code, outcome } = await told({ headers: key, body: '{"name":"y"}' });
  expect([code, outcome]).toEqual(['IDEMPOTENCY_KEY_REUSED', 'not-begun']);
});

test('the wait is said in milliseconds, too, and a mere reading has no outcome', async () => {
  thrown = with_('OVERLOADED', { retryAfter: 2, retryAfterMs: 1200.3 });
  const { head, outcome } = await told({ method: 'GET' });
  expect([head.get('retry-after'), head.get('retry-after-ms'), outcome]).toEqual([
    '2',
    '1201',
    null,
  ]);
  thrown = with_('NOT_READY', { retryAfter: 5 });
  expect((await told()).head.get('retry-after-ms')).toBe('5000');
});
