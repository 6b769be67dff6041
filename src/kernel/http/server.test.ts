import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { createServer } from './server.ts';

const options = (trustProxy?: string) => ({
  log: createLog('silent'),
  clock: createClock(),
  metrics: createMetrics(),
  corsOrigins: '',
  trustProxy,
  routes: [],
});

test('an address counts as far as it was told by proxies that are known', async () => {
  const addressBy = async (trustProxy?: string) => {
    const server = await createServer(options(trustProxy));
    server.get('/', async ({ ip }) => ip);
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.2' };
    const { body } = await server.inject({ url: '/', headers, remoteAddress: '192.0.2.3' });
    await server.close();
    return body;
  };
  expect(await addressBy()).toBe('192.0.2.3');
  expect(await addressBy('0')).toBe('192.0.2.3');
  expect(await addressBy('1')).toBe('203.0.113.2');
  expect(await addressBy('2')).toBe('198.51.100.1');
  expect(await addressBy('192.0.2.3')).toBe('203.0.113.2');
  expect(await addressBy('192.0.2.0/24, 203.0.113.2')).toBe('198.51.100.1');
  expect(await addressBy('192.0.2.4')).toBe('192.0.2.3');
  await expect(addressBy('true')).rejects.toThrow('invalid IP address');
});

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
}, 20_000);
