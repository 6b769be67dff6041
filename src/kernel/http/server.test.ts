import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { createServer } from './server.ts';

test('a stop waits for the request under way, and not for its connection', async () => {
  const server = await createServer({
    log: createLog('silent'),
    clock: createClock(),
    metrics: createMetrics(),
    corsOrigins: '',
    trustProxy: undefined,
    routes: [],
  });
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
