import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createLimits } from '#kernel/http/answer/limits.ts';
import { createClock } from '../../clock.ts';
import { createLog } from '../../log.ts';
import { createMetrics } from '../../metrics.ts';
import { createServer, type ServerOptions } from './server.ts';

const log = createLog('silent');
const options = (trustProxy?: string) => ({
  log,
  clock: createClock(),
  metrics: createMetrics(),
  limits: createLimits({ on: false }),
  publicUrl: () => 'http://localhost',
  corsOrigins: '',
  trustProxy,
  routes: [],
});

/** The address that a request counts for. */
async function addressBy(
  trustProxy: string | undefined,
  forwarded: string,
  remoteAddress = '192.0.2.3',
): Promise<string> {
  const server = await createServer(options(trustProxy));
  server.get('/', async ({ ip }) => ip);
  const headers = { 'x-forwarded-for': forwarded };
  const { body } = await server.inject({ url: '/', headers, remoteAddress });
  await server.close();
  return body;
}

test('an address counts as far as it was told by proxies that are known', async () => {
  const by = (trustProxy?: string) => addressBy(trustProxy, '198.51.100.1, 203.0.113.2');
  expect(await by()).toBe('192.0.2.3');
  expect(await by('0')).toBe('192.0.2.3');
  expect(await by('1')).toBe('203.0.113.2');
  expect(await by('2')).toBe('198.51.100.1');
  expect(await by('3')).toBe('198.51.100.1');
  expect(await by('192.0.2.3')).toBe('203.0.113.2');
  expect(await by('192.0.2.0/24, 203.0.113.2')).toBe('198.51.100.1');
  expect(await by('192.0.2.4')).toBe('192.0.2.3');
  expect(await addressBy('192.0.2.3', '8.8.8.8', '::ffff:192.0.2.3')).toBe('8.8.8.8');
  await expect(by('true')).rejects.toThrow('invalid IP address');
});

test('a port that a proxy adds makes nobody another, nor does what is no address', async () => {
  const told: readonly [string, string][] = [
    ['8.8.8.8:1000', '8.8.8.8'],
    [' 8.8.8.8:1001 ', '8.8.8.8'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:8.8.8.8', '::ffff:8.8.8.8'],
    ['garbage0', '192.0.2.3'],
    ['unknown', '192.0.2.3'],
    ['8.8.8.8:x', '192.0.2.3'],
    ['8.8.8.8:1000000', '192.0.2.3'],
    ['[8.8.8.8', '192.0.2.3'],
    ['', '192.0.2.3'],
  ];
  for (const [forwarded, address] of told)
    expect(await addressBy('1', forwarded), forwarded).toBe(address);
  expect(await addressBy('2', '8.8.8.8:1, 203.0.113.2:2')).toBe('8.8.8.8');
  expect(await addressBy('192.0.2.3,203.0.113.2', '8.8.8.8:1, 203.0.113.2:2')).toBe('8.8.8.8');
});

/** A server on a port of its own, and connections to it. */
async function listening(more: Partial<ServerOptions>) {
  const server = await createServer({ ...options(more.trustProxy), ...more });
  server.get('/', async () => 'here');
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const open = async (localAddress?: string): Promise<Socket> => {
    const from = localAddress === undefined ? {} : { localAddress };
    const socket = connect({ port, host: '127.0.0.1', ...from });
    await once(socket, 'connect');
    return socket;
  };
  return { server, open };
}

test('a request that does not arrive is given up within the time it has', async () => {
  const { server, open } = await listening({ requestTimeoutMs: 600 });
  const halves = ['', 'GET / HTTP/1.1\r\nhost: x\r\n', 'POST / HTTP/1.1\r\nhost: x\r\n'];
  const answers = await Promise.all(
    halves.map(async (half) => {
      const socket = await open();
      socket.write(half);
      return text(socket);
    }),
  );
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 /);
  await server.close();
  // Looking for them every half a minute, as Node would, took longer than this.
});

test('one address holds so many connections and no more, a trusted proxy any number', async () => {
  const { server, open } = await listening({ connectionsMax: { one: 2, all: 100 } });
  const [first, second] = [await open(), await open()];
  const third = await open();
  expect(await text(third)).toBe('');
  first.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  expect(await text(first)).toMatch(/200 OK.*here$/s);
  await expect.poll(() => connections(server.server)).toBe(1);
  const fourth = await open();
  fourth.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  expect(await text(fourth)).toMatch(/200 OK/);
  second.destroy();
  await server.close();

  const behind = await listening({
    connectionsMax: { one: 2, all: 100 },
    trustProxy: '127.0.0.0/8',
  });
  const many = await Promise.all(Array.from({ length: 5 }, () => behind.open()));
  await expect.poll(() => connections(behind.server.server)).toBe(5);
  for (const socket of many) socket.destroy();
  await behind.server.close();
});

test('what some networks hold leaves room for the next one, until all together hold as many as there are', async () => {
  const { server, open } = await listening({ connectionsMax: { one: 100, all: 40 } });
  const held: Socket[] = [];
  const isOpen = async (host: number) => {
    const socket = await open(`127.0.1.${host}`);
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const answered = once(socket, 'data').then(() => true);
    const isAnswered = await Promise.race([answered, once(socket, 'close').then(() => false)]);
    if (isAnswered) held.push(socket);
    return isAnswered;
  };
  const most = async (host: number) => {
    for (let n = 0; ; n += 1) if (!(await isOpen(host))) return n;
  };
  expect([await most(1), await most(2), await most(3)]).toEqual([4, 4, 3]);
  for (let host = 4; held.length < 40; host += 1) expect(await isOpen(host)).toBe(true);
  expect(await isOpen(100)).toBe(false);
  held.shift()?.destroy();
  await expect.poll(() => connections(server.server)).toBe(39);
  expect(await isOpen(100)).toBe(true);
  for (const socket of held) socket.destroy();
  await server.close();
});

const connections = (server: { getConnections(tell: (e: unknown, n: number) => void): unknown }) =>
  new Promise<number>((resolve) => void server.getConnections((_error, n) => resolve(n)));

test('a stop waits for the request under way, and not for its connection', async () => {
  const server = await createServer(options());
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  server.get('/slow', async () => {
    entered.resolve();
    await released.promise;
    return { answered: true };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/slow', agent }, resolve).on('error', reject);
  });
  await entered.promise;
  const stopped = server.close();
  released.resolve();
  const reply = await answer;
  expect(reply.statusCode).toBe(200);
  reply.resume();
  await stopped;
  agent.destroy();
});
