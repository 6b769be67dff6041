import { randomBytes } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { transact } from '#kernel/transact.ts';
import { type AppProcess, appProcess } from '#test/app-process.ts';
import { cuttingProxy } from '#test/cutting-proxy.ts';
import { happened } from '#test/events.ts';
import { EXPIRED } from '#test/expired-certificate.ts';
import { harness } from '#test/harness.ts';
import { type Arrival, admin, endpointOf, type Receiver, receiver } from '#test/webhooks.ts';

const masterKey = `1:${randomBytes(32).toString('base64')}`;
const jwtSecret = randomBytes(32).toString('hex');
const h = await harness({ masterKey, jwtSecret });
const databaseUrl = String(h.kernel.pool.options.connectionString);

/** Another process that does jobs and sends webhooks; it is killed at the end of the file. */
async function worker(url = databaseUrl): Promise<AppProcess> {
  const process = await appProcess({
    databaseUrl: url,
    secrets: {
      MASTER_KEY: masterKey,
      JWT_SECRET: jwtSecret,
      EVM_MNEMONIC: 'test test test test test test test test test test test junk',
    },
    aheadMs: h.clock.offsetMs,
    settings: {
      NODE_ENV: 'test',
      ROLE: 'worker',
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      DATA_DIR: h.dataDir,
      DB_POOL: '10',
    },
  });
  onTestFinished(async () => void (await process.end('SIGKILL')));
  return process;
}

/** So many events of each of so many objects, in the order of `nth`. */
async function emitMany(client_id: number, objects: number, each: number): Promise<void> {
  for (let nth = 1; nth <= each; nth += 1)
    await transact(h.db, async (tx) => {
      for (let id = 1; id <= objects; id += 1)
        emit(tx, happened, { client_id, id, data: { writer: 1, nth } });
    });
}

const ours = ({ arrivals }: Receiver): Arrival[] =>
  arrivals.filter(({ body }) => body.type === 'test.happened');

/** Of each object the order in which its events were first seen. */
function orders(arrivals: readonly Arrival[]): number[][] {
  const byObject = Map.groupBy(arrivals, ({ object }) => object);
  return [...byObject.values()].map((of) => [...new Set(of.map(({ nth }) => nth))]);
}

const CONCURRENCY = 8;

test('of two that send one is killed again and again: nothing is lost, and each object keeps its order', async () => {
  const as = await admin(h);
  const [objects, each, kills] = [40, 15, 2];
  const shop = await receiver();
  await endpointOf(h, as, { url: shop.url, types: ['*'], concurrency: CONCURRENCY });
  const workers = [await worker(), await worker()];
  await emitMany(as.client_id, objects, each);
  for (let n = 1; n <= kills; n += 1) {
    await shop.arrived((objects * each * n) / (kills + 2));
    const [killed] = workers.splice(0, 1);
    await killed?.end('SIGKILL');
    workers.push(await worker());
  }
  const all = () => new Set(ours(shop).map(({ body }) => body.id)).size === objects * each;
  await shop.until(all);
  for (const order of orders(ours(shop)))
    expect(order).toEqual([...Array(each).keys()].map((n) => n + 1));
  const repeated = ours(shop).length - objects * each;
  expect(repeated).toBeLessThanOrEqual(CONCURRENCY * kills);
});

test('while the database is away nothing is lost, and what follows goes on when it is back', async () => {
  const as = await admin(h);
  const [objects, each] = [20, 10];
  const shop = await receiver();
  const proxy = await cuttingProxy(databaseUrl);
  onTestFinished(() => proxy.close());
  await endpointOf(h, as, { url: shop.url, types: ['*'], concurrency: CONCURRENCY });
  await worker(proxy.url);
  await emitMany(as.client_id, objects, each);
  for (const cut of [40, 80, 120]) {
    await shop.arrived(cut);
    proxy.cutAfter(1, 5);
  }
  await shop.until(() => new Set(ours(shop).map(({ body }) => body.id)).size === objects * each);
  for (const order of orders(ours(shop)))
    expect(order).toEqual([...Array(each).keys()].map((n) => n + 1));
  expect(ours(shop).length - objects * each).toBeLessThanOrEqual(CONCURRENCY * 3);
});

test('beside endpoints that hang, drip, flood or have an old certificate another one gets all', async () => {
  const as = await admin(h);
  const healthy = await receiver();
  const hanging = await receiver(() => undefined);
  const dripping = await receiver((_arrival, response) => {
    response.writeHead(200);
    const drops = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(drops));
  });
  const flooding = await receiver((_arrival, response) => {
    response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024));
  });
  const leading = await receiver((_arrival, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  });
  const expired = await expiredSite();
  const hostile = [hanging, dripping, flooding, leading].map(({ url }) => url);
  for (const url of [...hostile, expired.url, healthy.url])
    await endpointOf(h, as, { url, types: ['*'] });
  await worker();
  const [objects, each] = [10, 4];
  await emitMany(as.client_id, objects, each);
  // Nothing that hangs has ended yet: they have 15 seconds, and the gates below none.
  await healthy.until(() => ours(healthy).length === objects * each);
  expect(ours(hanging).length).toBeLessThanOrEqual(CONCURRENCY);
  expect(ours(dripping).length).toBeLessThanOrEqual(CONCURRENCY);
  await flooding.until(() => ours(flooding).length === objects * each);
  expect(expired.requests()).toBe(0);
  const errors = () =>
    run<{ url: string; error: string | null; response: string | null }>(
      h.db,
      'select url, error, left(response, 3) as response from webhooks.attempts where url = any($1)',
      [[expired.url, leading.url]],
    );
  await expect
    .poll(async () => (await errors()).map(({ error }) => error))
    .toEqual(expect.arrayContaining(['Redirects are not followed', 'CERT_HAS_EXPIRED']));
  // A busy machine may have kept one waiting for too long as well; but none of them is taken for delivered.
  expect((await errors()).filter(({ error }) => error === null)).toEqual([]);
});

/** A site over TLS whose certificate nobody should trust any more. */
async function expiredSite() {
  let requests = 0;
  const server = createServer(EXPIRED, (_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}/hook`, requests: () => requests };
}
