import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEMO } from '#src/app/seed.ts';
import { callService, type Service, serviceStarter } from './service.ts';

/** A stopped service ends with everything it has started, even if any part of it hangs. */

const start = await serviceStarter();

/** The database and the chain nodes of a service, once all of them run. */
async function started({ dataDir }: Service): Promise<number[]> {
  const nodes = () =>
    globSync(join(dataDir, 'chains', '*.node'))
      .map((path) => Number.parseInt(JSON.parse(readFileSync(path, 'utf8')).node, 10))
      .filter(lives);
  await expect.poll(nodes).toHaveLength(3);
  const postmaster = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
  return [Number.parseInt(postmaster, 10), ...nodes()];
}

/** One that has ended and was not reaped yet is dead, too. */
function lives(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return false;
  const stat = readFileSync(path, 'utf8');
  return !['Z', 'X'].includes(stat[stat.lastIndexOf(')') + 2] ?? '');
}

async function endsWell(service: Service): Promise<void> {
  const code = await service.end('SIGTERM');
  expect(code, service.said()).toBe(0);
}

test('the service ends despite silent connections, half requests and an endless job', async () => {
  const endless = await endlessMailServer();
  const service = await start({ SMTP_URL: endless.url });
  const processes = await started(service);
  const body = { email: DEMO.user.email };
  expect((await callService('POST /password/request_reset', service.api, { body }))[0]).toBe(200);
  await endless.reached;
  const sockets = [];
  for (const base of [service.api, service.sandbox])
    for (const words of ['', 'POST /api/auth/login HTTP/1.1\r\nhost: he']) {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port) });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      if (words !== '') socket.write(words);
      sockets.push(socket);
    }
  // A request answered after them proves that they have arrived.
  expect((await callService('GET /pspb/mode', service.api))[0]).toBe(401);
  await endsWell(service);
  expect(processes.filter(lives)).toEqual([]);
  for (const socket of sockets) socket.destroy();
});

test('the service ends despite a dead database', async () => {
  const service = await start();
  const processes = await started(service);
  process.kill(processes[0] ?? 0, 'SIGKILL');
  await endsWell(service);
  expect(processes.filter(lives)).toEqual([]);
});

test('a signal during the start ends the service, too, with its database', async () => {
  const service = await start({}, () => true);
  const path = join(service.dataDir, 'postgres/cluster/postmaster.pid');
  await expect.poll(() => existsSync(path), { interval: 1 }).toBe(true);
  await endsWell(service);
  expect(existsSync(path)).toBe(false);
});

/** Always sends another message before it can receive one. */
async function endlessMailServer() {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 here\r\n');
    socket.once('data', () => {
      const talk = setInterval(() => socket.write('250-and\r\n'), 100);
      socket.once('close', () => clearInterval(talk));
      resolve();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterAll(() => void server.close());
  return { reached, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
