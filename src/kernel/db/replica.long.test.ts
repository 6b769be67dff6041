// Long: a database falls silent, refuses and comes back.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { heldTimers } from '#test/held-timers.ts';
import { silentProxy } from '#test/silent-proxy.ts';
import { createLog } from '../log.ts';
import { run } from './db.ts';
import { openReplica } from './replica.ts';

// A leader that follows nobody has everything, as a replica has after a failover.
const database = await testDatabase();
afterAll(() => database.close());

const START = '0/0';
const log = createLog('silent');

function replicaAt(url: string, max = 4) {
  const timers = heldTimers();
  const replica = openReplica({ url, max, pooled: false, log, timers });
  onTestFinished(() => replica.close());
  const read = () =>
    replica.read(START, async (tx) => {
      const [row] = await run<{ n: number }>(tx, 'select 7 as n', []);
      return row?.n;
    });
  return { replica, timers, read };
}

/** Takes connections and says nothing, until it is told to lead on to the database. */
async function muteServer() {
  const { hostname, port } = new URL(database.url);
  const sockets = new Set<Socket>();
  const known = { asked: 0, isMute: true };
  const server = createServer((client) => {
    known.asked += 1;
    sockets.add(client.on('error', () => undefined));
    if (known.isMute) return;
    const upstream = connect({ host: hostname, port: Number(port) });
    sockets.add(upstream.on('error', () => undefined));
    client.pipe(upstream).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(known, { url: url.href });
}

test('one that takes connections and never answers is given up, by however many ask', async () => {
  const mute = await muteServer();
  const { replica, read } = replicaAt(mute.url, 2);
  const answers = await Promise.allSettled(Array.from({ length: 20 }, read));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
  expect(replica.isResting).toBe(true);
  expect(await replica.position()).toBeUndefined();
});

test('it is left alone until it has answered itself: no reader finds out by waiting', async () => {
  const mute = await muteServer();
  const { replica, timers, read } = replicaAt(mute.url);
  await expect(read()).rejects.toThrow();
  for (const looks of [1, 2]) {
    const before = mute.asked;
    timers.pass(5000);
    await expect.poll(() => mute.asked).toBe(before + 1);
    // Being looked at, and not answering, as often as that is.
    expect([looks, replica.isResting]).toEqual([looks, true]);
    await expect.poll(() => timers.open, { timeout: 20_000 }).toBe(1);
  }
  mute.isMute = false;
  timers.pass(5000);
  await expect.poll(() => replica.isResting).toBe(false);
  expect(await read()).toBe(7);
});

test('one that refuses is rested from at once, and read from again when it is there', async () => {
  const proxy = await silentProxy(database.url);
  onTestFinished(() => proxy.close());
  proxy.takeAway();
  const { replica, timers, read } = replicaAt(proxy.url);
  await expect(read()).rejects.toThrow();
  expect(replica.isResting).toBe(true);
  proxy.giveBack();
  timers.pass(5000);
  await expect.poll(() => replica.isResting).toBe(false);
  expect(await read()).toBe(7);
});

test.each(['falls silent', 'ends'] as const)(
  'one that %s amid a query is given up',
  async (how) => {
    const proxy = await silentProxy(database.url);
    onTestFinished(() => proxy.close());
    const { replica, timers, read } = replicaAt(proxy.url, 1);
    expect(await read()).toBe(7);
    if (how === 'ends') proxy.loseAnswerTo(START);
    else proxy.silence();
    await expect(read()).rejects.toThrow();
    expect(replica.isResting).toBe(true);
    // Of its one connection nothing is heard any more; the look at it needs another.
    const isBack = async () => {
      timers.pass(5000);
      return !replica.isResting;
    };
    await expect.poll(isBack, { interval: 200, timeout: 30_000 }).toBe(true);
    expect(await read()).toBe(7);
  },
);

test('what fails for another reason is the reader’s alone: nobody rests', async () => {
  const { replica, timers } = replicaAt(database.url);
  const failing = replica.read(START, () => Promise.reject(new Error('mine')));
  await expect(failing).rejects.toThrow('mine');
  expect([replica.isResting, timers.open]).toEqual([false, 0]);
});

test('once it is closed nothing looks at it any more', async () => {
  const mute = await muteServer();
  const { replica, timers, read } = replicaAt(mute.url);
  await expect(read()).rejects.toThrow();
  await replica.close();
  expect(timers.open).toBe(0);
});
