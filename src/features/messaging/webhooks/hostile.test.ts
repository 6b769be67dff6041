import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createSecure } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { lookUpBy } from '#kernel/outbound/connect.ts';
import { createOutbound, type OutboundOptions } from '#kernel/outbound/outbound.ts';
import { EXPIRED } from '#test/expired-certificate.ts';
import { nameServer } from '#test/name-server.ts';
import { attempt, type WebhookOutcome } from './attempt.ts';

/** In place of the fifteen seconds that an endpoint really has: for those that are to run out of it. */
const HASTY_MS = 300;
/** For all others, which the machine may keep waiting. */
const PATIENT_MS = 120_000;
const NOW = new Date('2026-11-22T03:00:00Z');
const RULES: OutboundOptions = {
  plainHttp: true,
  ports: 'any',
  loopback: true,
  allowed: () => [],
  connectMs: PATIENT_MS,
};

type Manner = (socket: Socket) => unknown;
const say =
  (...lines: readonly string[]): Manner =>
  (socket) =>
    socket.end(`${lines.join('\r\n')}\r\n\r\n`);
/** For as long as anybody listens. */
const drip =
  (first: string, drop: string): Manner =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(drop), 10);
    socket.on('close', () => clearInterval(timer));
  };
const flood: Manner = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  const pour = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
  };
  socket.on('drain', pour);
  pour();
};
const ZEROS = gzipSync(Buffer.alloc(8 * 1024 * 1024));
const bomb: Manner = (socket) => {
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${ZEROS.length}\r\n\r\n`;
  socket.write(head);
  socket.end(ZEROS);
};
const OK = 'HTTP/1.1 200 OK';
const BUSY = 'HTTP/1.1 429 Too Many Requests';

/** Listens on loopback until the test is over; nothing of what is done to it is an error of the test. */
async function site(manner: Manner, isSecure = false): Promise<string> {
  const sockets = new Set<Socket>();
  const met = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => manner(socket));
  };
  const server = isSecure ? createSecure(EXPIRED, met) : createServer(met);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function sender(options: Partial<OutboundOptions> = {}, totalMs = PATIENT_MS) {
  const outbound = createOutbound({ ...RULES, ...options });
  onTestFinished(() => outbound.close());
  type Post = Parameters<typeof outbound.post>[0];
  const limited = {
    ...outbound,
    post: (call: Post) => outbound.post({ ...call, limits: { totalMs } }),
  };
  const letter = { id: 'evt_1', body: '{}', secrets: [], headers: {}, attempt: 1 };
  return (url: string): Promise<WebhookOutcome> => attempt(limited, { ...letter, url }, NOW);
}

const LOST = { isDelivered: false, status: null, response: null };
const DELIVERED = { isDelivered: true, status: 200, error: null };
const TIMEOUT = { ...LOST, error: 'TIMEOUT', isOverloaded: true };

const HOSTILE: readonly (readonly [string, Manner, Partial<WebhookOutcome>])[] = [
  ['says nothing', () => undefined, TIMEOUT],
  ['drips its headers', drip(`${OK}\r\n`, 'a: b\r\n'), TIMEOUT],
  ['drips its body', drip(`${OK}\r\n\r\n`, '.'), TIMEOUT],
  ['has a body without an end', flood, { ...DELIVERED, response: '\uFFFD'.repeat(2048) }],
  [
    'has headers without an end',
    drip(`${OK}\r\n`, `x: ${'y'.repeat(4000)}\r\n`),
    { ...LOST, error: 'UND_ERR_HEADERS_OVERFLOW' },
  ],
  [
    'leads to this machine',
    say('HTTP/1.1 307 Moved', 'location: http://127.0.0.1:1/', 'content-length: 0'),
    { isDelivered: false, status: 307, error: 'Redirects are not followed' },
  ],
  [
    'leads to itself',
    say('HTTP/1.1 308 Moved', 'location: /', 'content-length: 0'),
    { isDelivered: false, status: 308, error: 'Redirects are not followed' },
  ],
  [
    'says less than it announces',
    say(OK, 'content-length: 100', '', 'short'),
    { ...LOST, error: 'UND_ERR_SOCKET' },
  ],
  [
    'says more than it announces',
    say(OK, 'content-length: 2', '', 'ok and more'),
    { ...DELIVERED, response: 'ok' },
  ],
  [
    'has two lengths',
    say(OK, 'content-length: 2', 'content-length: 3', '', 'ok!'),
    { ...LOST, error: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' },
  ],
  [
    'has chunks that are none',
    say(OK, 'transfer-encoding: chunked', '', 'zz', 'nonsense'),
    { ...LOST, error: 'HTTPParserError' },
  ],
  [
    'hangs up before it says anything',
    (socket) => socket.resetAndDestroy(),
    { ...LOST, error: 'ECONNRESET' },
  ],
  [
    'hangs up after its headers',
    (socket) => socket.write(`${OK}\r\ncontent-length: 9\r\n\r\n`, () => socket.resetAndDestroy()),
    { ...LOST, error: 'ECONNRESET' },
  ],
  ['announces for ever', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), TIMEOUT],
  ['wants to speak something else', say('HTTP/1.1 101 Switching Protocols', 'upgrade: x'), LOST],
  ['packs much into little', bomb, { ...DELIVERED, response: '\uFFFD'.repeat(2048) }],
  ['says 200 and hangs', drip(`${OK}\r\ncontent-length: 9\r\n\r\n`, ''), TIMEOUT],
  [
    'wants to be left alone for years',
    say(BUSY, 'retry-after: 999999999', 'content-length: 0'),
    { status: 429, restMs: 3_600_000, isOverloaded: true },
  ],
  [
    'wants it before now',
    say(BUSY, 'retry-after: -5', 'content-length: 0'),
    { status: 429, restMs: 0, isOverloaded: true },
  ],
  [
    'wants it at a time long gone',
    say(BUSY, 'retry-after: Sun, 06 Nov 1994 08:49:37 GMT', 'content-length: 0'),
    { status: 429, restMs: 0 },
  ],
  ['has a status that is none', say('HTTP/1.1 2OO OK'), { ...LOST, error: 'HTTPParserError' }],
  ['answers as nobody does any more', say('<html>yes</html>'), LOST],
];

/** As much time as the test needs to see what it is to see. */
const timeFor = (expected: Partial<WebhookOutcome>) =>
  expected === TIMEOUT ? HASTY_MS : PATIENT_MS;

test.each(HOSTILE)('an endpoint that %s ends in time, and is understood', async (...row) => {
  const [, manner, expected] = row;
  const url = `http://${await site(manner)}/hook`;
  const outcome = await sender({}, timeFor(expected))(url);
  expect(outcome).toMatchObject(expected);
  expect(outcome.response?.length ?? 0).toBeLessThanOrEqual(2048);
});

test('an endpoint with an expired or untrusted certificate gets nothing', async () => {
  const said: unknown[] = [];
  const host = (await site((socket) => said.push(socket), true)).replace('127.0.0.1', 'localhost');
  const send = (ca?: string) => sender(ca === undefined ? {} : { ca })(`https://${host}/hook`);
  expect(await send(EXPIRED.cert)).toMatchObject({ ...LOST, error: 'CERT_HAS_EXPIRED' });
  expect(await send()).toMatchObject(LOST);
  expect(said).toEqual([]);
});

test('an endpoint that stops in the middle of a handshake ends in time', async () => {
  const host = await site(() => undefined);
  const outcome = await sender({ connectMs: 200 })(`https://${host}/hook`);
  expect(outcome).toMatchObject({ ...LOST, error: 'UND_ERR_CONNECT_TIMEOUT' });
});

test('an endpoint whose name resolves to a private address later is disabled, not called', async () => {
  const host = await site(say(OK, 'content-length: 2', 'connection: close', '', 'ok'));
  const names = await nameServer((_name, times) => (times === 0 ? ['127.0.0.1'] : ['10.0.0.1']));
  onTestFinished(names.close);
  const send = sender({ lookUp: lookUpBy(names.resolver) });
  const url = `http://${host.replace('127.0.0.1', 'shop.example.com')}/hook`;
  expect(await send(url)).toMatchObject(DELIVERED);
  expect(await send(url)).toMatchObject({ ...LOST, ends: 'not_public' });
});

test('what an endpoint wants to be remembered by is forgotten', async () => {
  const heard: string[] = [];
  const host = await site((socket) => {
    socket.on('data', (data) => heard.push(String(data)));
    say(OK, 'set-cookie: a=b', 'content-length: 0')(socket);
  });
  const send = sender();
  await send(`http://${host}/hook`);
  await send(`http://${host}/hook`);
  expect(heard.join('')).not.toMatch(/cookie/i);
});

test('beside all of them at once a healthy endpoint gets everything', async () => {
  const send = sender();
  const server = createHttp((_request, response) => response.writeHead(204).end());
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const healthy = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const attacks = HOSTILE.map(async ([, manner]) =>
    sender({}, HASTY_MS)(`http://${await site(manner)}/hook`),
  );
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => send(`http://${healthy}/hook`)),
  );
  expect(outcomes.filter(({ isDelivered }) => isDelivered)).toHaveLength(50);
  for (const outcome of await Promise.all(attacks)) expect(outcome.ms).toBeGreaterThanOrEqual(0);
});
