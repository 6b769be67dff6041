import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { type Body, harness } from '#test/harness.ts';
import { headAlone } from '#test/head-alone.ts';

/** The cost of a request is bounded before its body is read, and again before it is parsed. */
const h = await harness({ mock: false });
const WEBHOOK = 'POST /ekyc/idv/webhook';
const KIB = 1024;

/** Each of about that many bytes, and slow to parse, to walk through or to complain about. */
const hostile = (bytes: number): Readonly<Record<string, string>> => ({
  deep: `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  'never closed': '['.repeat(bytes),
  'deep beside a name to look for': `{"constructor":1,"b":${'['.repeat(bytes)}`,
  'many names': `{${filled(bytes, (n) => `"${n.toString(36)}":1`)}}`,
  'many shapes': `[${filled(bytes, (n) => `{"${n.toString(36)}":1}`)}]`,
  'many numbers': `[${filled(bytes, () => '1')}]`,
});

function filled(bytes: number, make: (n: number) => string): string {
  const parts: string[] = [];
  for (let [n, length] = [0, 0]; length < bytes; n += 1) {
    parts.push(make(n));
    length += (parts.at(-1)?.length ?? 0) + 1;
  }
  return parts.join();
}

const codeOf = ({ code, error }: Body): string => code ?? error?.code;
const sign = (body: string) => ({
  'x-payload-digest': createHmac('sha256', 'sandbox-identity-webhook-secret')
    .update(body)
    .digest('hex'),
});

/** The longest text that the service parsed meanwhile. */
async function parsed(work: () => Promise<void>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    await work();
    return Math.max(0, ...parse.mock.calls.map(([text]) => String(text).length));
  } finally {
    parse.mockRestore();
  }
}

const PUBLIC: readonly RouteId[] = [
  WEBHOOK,
  'POST /ekyc/idv/syncIdvStatus',
  'POST /card-checkout/card/callback',
  'POST /password/reset',
];

test('a body too large for its endpoint is refused unread', async () => {
  for (const id of PUBLIC)
    for (const [what, body] of Object.entries(hostile(900 * KIB))) {
      const { status, body: answer } = await h.send(id, { as: 'nobody', body });
      expect([status, codeOf(answer)], `${id}: ${what}`).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }
});

test('an excessively deep or full body is refused without being parsed', async () => {
  const as = await h.user();
  const longest = await parsed(async () => {
    for (const [what, body] of Object.entries(hostile(60 * KIB))) {
      const { status, body: answer } = await h.send('POST /wallets/fiat', { as, body });
      expect([status, codeOf(answer)], what).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
  expect(longest).toBeLessThan(KIB);
});

test('a list endpoint takes a megabyte, and refuses bodies unlike any list of ours', async () => {
  const [, { token }] = await h.call('POST /xusers/login', { body: { phone: '+6281234500001' } });
  const as = { token };
  const name = 'n'.repeat(160);
  const contacts = Array.from({ length: 5000 }, () => ({ contact_name: name, contact_phone: '1' }));
  const body = JSON.stringify({ contacts });
  expect(body.length).toBeGreaterThan(950 * KIB);
  expect((await h.call('POST /xcontacts/sync', { as, body }))[0]).toBe(200);
  const longest = await parsed(async () => {
    for (const [what, bad] of Object.entries(hostile(900 * KIB))) {
      const { status, body: answer } = await h.send('POST /xcontacts/sync', { as, body: bad });
      expect([status, codeOf(answer)], what).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
  expect(longest).toBeLessThan(KIB);
});

test('a list that is too long is one mistake, for every excess', async () => {
  const [, { token }] = await h.call('POST /xusers/login', { body: { phone: '+6281234500003' } });
  for (const length of [5001, 6000, 10_000]) {
    const contacts = Array.from({ length }, () => ({ contact_name: 'n', contact_phone: '1' }));
    const [status, answer] = await h.call('POST /xcontacts/sync', {
      as: { token },
      body: { contacts },
    });
    expect([status, codeOf(answer)], `${length}`).toEqual([400, 'VALIDATION_ERROR']);
  }
});

test('a list of many mistakes reports the first, and costs no more than reading it', async () => {
  const [, { token }] = await h.call('POST /xusers/login', { body: { phone: '+6281234500002' } });
  const [status, answer] = await h.call('POST /xcontacts/sync', {
    as: { token },
    body: { contacts: Array(20_000).fill({}) },
  });
  expect([status, answer.error, answer.details.length]).toEqual([
    400,
    'Contacts array is required',
    1,
  ]);
});

test('a webhook’s signature is verified before any of its body is parsed', async () => {
  const body = '{"type":'.padEnd(2000, ' ');
  const longest = await parsed(async () => {
    const { status, body: answer } = await h.send(WEBHOOK, { as: 'nobody', body });
    expect([status, answer.code]).toEqual([401, 'INVALID_SIGNATURE']);
  });
  expect(longest).toBeLessThan(KIB);
  const none = await h.send(WEBHOOK, { as: 'nobody' });
  expect([none.status, none.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
  const genuine = await h.send(WEBHOOK, { as: 'nobody', body, headers: sign(body) });
  expect([genuine.status, genuine.body]).toEqual([200, { message: 'Event ignored' }]);
});

test.each([
  ['no key', '/wallets/fiat', [], 401],
  ['a bad key', '/wallets/fiat', ['x-api-key: ak_bad'], 401],
  ['an unknown address', '/nothing', [], 404],
  ['another method', '/wallets/fiat/1', [], 405],
] as const)(
  'a request with %s is answered without waiting for its body or reading on',
  async (_what, path, own, status) => {
    const json = 'content-type: application/json';
    for (const size of ['content-length: 900000', 'transfer-encoding: chunked'])
      expect(await headAlone(h, path, [...own, json, size])).toMatch(`HTTP/1.1 ${status} `);
  },
);

test('the server stops reading a long body that it refuses', async () => {
  const socket = new Promise<Socket>((resolve) => {
    h.app.server.server.once('connection', resolve);
  });
  const { hostname, port, pathname } = new URL(h.app.apiUrl());
  const head = `POST ${pathname}/wallets/fiat HTTP/1.1\r\nhost: x\r\ncontent-length: 50000000\r\n\r\n`;
  const sender = connect({ host: hostname, port: Number(port) });
  sender.on('error', () => undefined);
  sender.write(head + 'x'.repeat(50_000_000));
  const taken = await socket;
  await once(taken, 'close');
  expect(taken.bytesRead).toBeLessThan(1_000_000);
  sender.destroy();
});

test('a client that is refused with a small body keeps the connection', async () => {
  const { hostname, port, pathname } = new URL(h.app.apiUrl());
  const request = [
    `POST ${pathname}/wallets/fiat HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    'content-length: 2',
    '',
    '{}',
  ].join('\r\n');
  const socket = connect({ host: hostname, port: Number(port) });
  let answers = '';
  for (let n = 1; n <= 3; n += 1) {
    socket.write(request);
    while (answers.split('HTTP/1.1 401').length <= n)
      answers += await new Promise((resolve, reject) => {
        socket.once('data', resolve).once('error', reject);
        socket.once('end', () => reject(new Error('the service hung up')));
      });
  }
  socket.destroy();
});
