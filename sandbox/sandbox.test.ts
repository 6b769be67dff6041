import { once } from 'node:events';
import { createConnection } from 'node:net';
import { expect, test } from 'vitest';
import { callHttp } from '#kernel/provider-call.ts';
import { testSandbox } from '#test/sandbox.ts';
import { rawBody } from './raw-body.ts';
import type { Simulator } from './simulator.ts';

/** How often its one endpoint did its work. */
let worked = 0;
const toy: Simulator = {
  provider: 'toy',
  prefix: '/toy',
  wire(server, world) {
    server.post('/work', async (request) => {
      worked += 1;
      await world.records.insert('toy', 'work', String(worked), { raw: `${rawBody(request)}` });
      return { worked };
    });
  },
  controls(server) {
    server.post('/toy-controls/wind-up', async () => ({ wound: true }));
  },
};
const { url, world, clock, received, answerWith, control } = await testSandbox(toy);

const arm = (kind: string, more: object = {}) =>
  control('POST /faults', { provider: 'toy', kind, ...more });
const work = (timeoutMs = 5000) =>
  callHttp({ name: 'toy', method: 'POST', url: `${url}/toy/work`, body: { a: 1 }, timeoutMs });
const deliver = (body: object, more: object = {}) =>
  world.callbacks.deliver('toy', { url: `${world.serviceUrl()}/toy`, body, ...more });
let seen = 0;
/** The call-backs since the last time. */
const fresh = () => {
  const since = received.slice(seen);
  seen = received.length;
  return since;
};
const bodies = () => fresh().map(({ raw }): { n: number } => JSON.parse(raw.toString()));

test('an armed fault spoils as many calls as it says, of its provider only', async () => {
  const [before] = [worked];
  expect(await arm('error', { times: 2 })).toMatchObject({ status: 201, body: { times: 2 } });
  expect(await work()).toMatchObject({ status: 500 });
  expect((await control('GET /faults')).body).toEqual([
    { provider: 'toy', kind: 'error', times: 1, ms: 1000 },
  ]);
  expect(await work()).toMatchObject({ status: 500 });
  expect(worked).toBe(before);
  expect(await work()).toMatchObject({ status: 200 });
  expect((await control('GET /faults')).body).toEqual([]);
});

test('refused and dropped calls are lost before anything has happened', async () => {
  for (const kind of ['refuse', 'drop']) {
    const before = worked;
    await arm(kind);
    expect(await work()).toHaveProperty('lost');
    expect(worked).toBe(before);
  }
});

test('after commit-then-drop the work is done and there is no answer', async () => {
  const before = worked;
  await arm('commit-then-drop');
  expect(await work()).toHaveProperty('lost');
  expect(worked).toBe(before + 1);
});

test('a delay longer than the caller waits looks like a time-out', async () => {
  await arm('delay', { ms: 60_000 });
  expect(await work(50)).toEqual({ lost: 'TimeoutError' });
  await arm('delay', { ms: 1 });
  expect(await work()).toMatchObject({ status: 200 });
});

test('a call that waits leaves alone what is armed after it came', async () => {
  await arm('delay', { ms: 300 });
  const before = worked;
  const waiting = work();
  await expect.poll(() => world.faults.list()).toEqual([]);
  await arm('drop');
  await arm('refuse');
  expect(await waiting).toMatchObject({ status: 200 });
  expect(worked).toBe(before + 1);
  expect(world.faults.list()).toHaveLength(2);
  expect(await work()).toHaveProperty('lost');
  expect(await work()).toHaveProperty('lost');
});

test('faults come in the order they were armed in', async () => {
  await arm('error');
  await arm('drop');
  expect(await work()).toMatchObject({ status: 500 });
  expect(await work()).toHaveProperty('lost');
  expect(await work()).toMatchObject({ status: 200 });
});

test('faults can be taken back', async () => {
  await arm('error');
  expect((await control('DELETE /faults?provider=other')).body).toHaveLength(1);
  const reply = await fetch(`${url}/faults?provider=toy`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
  });
  expect([reply.status, await reply.json()]).toEqual([200, []]);
  expect(await work()).toMatchObject({ status: 200 });
});

test('a call-back arrives as it was made', async () => {
  expect(await deliver({ n: 1 }, { headers: { 'x-signature': 'abc' } })).toBe(true);
  const [callback] = fresh();
  expect(callback?.path).toBe('/api/toy');
  expect(callback?.headers).toMatchObject({ 'x-signature': 'abc' });
  expect(callback?.headers['content-type']).toBe('application/json');
  expect(callback?.raw.toString()).toBe('{"n":1}');
});

test('a call-back that is not taken comes again until it is', async () => {
  answerWith(503);
  const delivered = deliver({ n: 1 });
  await expect.poll(() => received.length).toBeGreaterThan(seen);
  answerWith(200);
  expect(await delivered).toBe(true);
  expect(new Set(bodies().map(({ n }) => n))).toEqual(new Set([1]));
});

test('a duplicated call-back arrives twice', async () => {
  await arm('duplicate-callback');
  await deliver({ n: 1 });
  expect(bodies()).toEqual([{ n: 1 }, { n: 1 }]);
});

test('a late call-back does not hold up the call that caused it', async () => {
  await arm('late-callback', { ms: 20 });
  expect(await deliver({ n: 1 })).toBe(false);
  await world.callbacks.idle();
  expect(bodies()).toEqual([{ n: 1 }]);
});

test('a reordered call-back arrives after the next one', async () => {
  await arm('reorder');
  expect(await deliver({ n: 1 })).toBe(false);
  await deliver({ n: 2 });
  await world.callbacks.idle();
  expect(bodies()).toEqual([{ n: 2 }, { n: 1 }]);
});

test('a call-back with a bad signature is signed with another secret, and tried once', async () => {
  const callback = {
    headers: { 'x-signature': 'signed:right' },
    resign: (secret: string) => ({ 'x-signature': `signed:${secret}` }),
  };
  await arm('bad-signature');
  answerWith(401);
  expect(await deliver({ n: 1 }, callback)).toBe(false);
  answerWith(200);
  const [forged, ...more] = fresh();
  expect(forged?.headers['x-signature']).toMatch(/^signed:(?!right)/);
  expect(more).toEqual([]);

  await arm('bad-signature');
  await deliver({ n: 2 }, { headers: { 'x-callback-token': 'token' } });
  expect(fresh()[0]?.headers['x-callback-token']).toBe('nekot');
});

test('the clock moves forward only, and tells where it is', async () => {
  const before = clock.now().getTime();
  const { status, body } = await control('POST /clock', { advance_s: 3600 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ offset_s: 3600 });
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
  expect((await control('GET /clock')).body).toMatchObject({ offset_s: 3600 });
});

test('controls refuse what they do not understand, and do nothing', async () => {
  const bad: [string, unknown][] = [
    ['POST /faults', {}],
    ['POST /faults', { provider: 'toy' }],
    ['POST /faults', { provider: 'nobody', kind: 'error' }],
    ['POST /faults', { provider: 'toy', kind: 'explode' }],
    ['POST /faults', { provider: 'toy', kind: 'error', times: 0 }],
    ['POST /faults', { provider: 'toy', kind: 'error', times: 1.5 }],
    ['POST /faults', { provider: 'toy', kind: 'delay', ms: -1 }],
    ['POST /faults', { provider: 'toy', kind: 'delay', ms: 1e9 }],
    ['POST /faults', { provider: 'to\0y', kind: 'error' }],
    ['POST /faults', { provider: '\ud800', kind: 'error' }],
    ['POST /faults', []],
    ['POST /faults', null],
    ['POST /clock', {}],
    ['POST /clock', { advance_s: -1 }],
    ['POST /clock', { advance_s: 0 }],
    ['POST /clock', { advance_s: 1e300 }],
    ['POST /clock', { advance_s: '1e3' }],
    ['POST /clock', { advance_s: null }],
    ['POST /clock', { advance_s: 'tomorrow' }],
    ['DELETE /faults?provider=%00', undefined],
  ];
  const { body: before } = await control('GET /clock');
  for (const [id, body] of bad) {
    const { status, body: answer } = await control(id, body as object);
    expect([id, body, status]).toEqual([id, body, 400]);
    expect(answer).toMatchObject({ error: expect.any(String), code: expect.any(String) });
  }
  expect((await control('GET /faults')).body).toEqual([]);
  expect((await control('GET /clock')).body).toMatchObject({
    offset_s: (before as { offset_s: number }).offset_s,
  });
});

test('malformed, oversized and misplaced requests are the client’s fault', async () => {
  const json = { 'content-type': 'application/json' };
  const send = async (path: string, init: RequestInit) => (await fetch(url + path, init)).status;
  expect(await send('/faults', { method: 'POST', headers: json, body: '{' })).toBe(400);
  const xml = { 'content-type': 'text/xml' };
  expect(await send('/faults', { method: 'POST', headers: xml, body: '<a/>' })).toBe(415);
  const proto = '{"__proto__":{"a":1},"provider":"toy","kind":"error"}';
  expect(await send('/faults', { method: 'POST', headers: json, body: proto })).toBe(400);
  const large = JSON.stringify({ provider: 'x'.repeat(2 * 1024 * 1024) });
  expect(await send('/faults', { method: 'POST', headers: json, body: large })).toBe(413);
  expect(await send('/nowhere', {})).toBe(404);
  const deep = '['.repeat(5000) + ']'.repeat(5000);
  expect(await send('/toy/work', { method: 'POST', headers: json, body: deep })).toBe(400);
});

test('the page is for browsers, and other clients get the same as JSON', async () => {
  const page = await fetch(url, { headers: { accept: 'text/html,*/*' } });
  expect(page.headers.get('content-type')).toMatch('text/html');
  expect(page.headers.get('content-security-policy')).toMatch("default-src 'none'");
  expect(await page.text()).not.toMatch(/(src|href)="?https?:/);
  const index = (await (await fetch(url)).json()) as { providers: object[]; controls: string[] };
  expect(index).toMatchObject({ providers: [{ provider: 'toy', url: `${url}/toy` }] });
  expect(index.controls).toEqual(
    expect.arrayContaining(['POST /faults', 'POST /clock', 'POST /toy-controls/wind-up']),
  );
  expect(index.controls).not.toContain('POST /toy/work');
});

test('simulators see bodies byte for byte', async () => {
  await fetch(`${url}/toy/work`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{ "spaced" :1}',
  });
  expect(await world.records.list('toy', 'work', { limit: 1 })).toEqual([
    { raw: '{ "spaced" :1}' },
  ]);
});

test('a half-sent request does not keep others waiting', async () => {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /toy/work HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
  expect(await work()).toMatchObject({ status: 200 });
  socket.destroy();
});
