import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { emit } from '#kernel/events/emit.ts';
import { transact } from '#kernel/transact.ts';
import { appProcess } from '#test/app-process.ts';
import { testCluster } from '#test/cluster.ts';
import { happened } from '#test/events.ts';
import { harness } from '#test/harness.ts';
import { accept, admin, endpointOf, isSignedBy, receiver } from '#test/webhooks.ts';

const masterKey = `1:${randomBytes(32).toString('base64')}`;
const jwtSecret = randomBytes(32).toString('hex');
const cluster = await testCluster();
const h = await harness({
  masterKey,
  jwtSecret,
  database: { url: cluster.url(), close: cluster.close },
});

/** A process that sends webhooks; it is killed at the end. */
async function worker(): Promise<void> {
  const process = await appProcess({
    databaseUrl: cluster.url(),
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
    },
  });
  onTestFinished(async () => void (await process.end('SIGKILL')));
}

const OBJECTS = 200;
/** Of each object. */
const EVENTS = 50;
const CONCURRENCY = 16;
const WORKERS = 2;
/** After how many arrivals the server goes down at once, as in a power cut. */
const CRASHES = [1_500, 4_000, 7_000];

test('PostgreSQL dies and comes back amid 10,000 events: none is lost, and each object keeps its order', async () => {
  const as = await admin(h);
  const came = new Map<number, Set<string>>();
  let count = 0;
  const shop = await receiver((arrival, response) => {
    if (arrival.body.type === 'test.happened') {
      const { nth, object } = arrival;
      came.set(nth, (came.get(nth) ?? new Set()).add(object));
      count += 1;
    }
    accept(arrival, response);
  });
  const fields = { url: shop.url, types: ['*'], concurrency: CONCURRENCY };
  const { secret } = await endpointOf(h, as, fields);
  await Promise.all(Array.from({ length: WORKERS }, worker));
  let up: Promise<void> = Promise.resolve();
  const telling = tellAll(as.client_id, () => up);
  for (const arrivals of CRASHES) {
    await shop.until(() => count >= arrivals);
    cluster.crash();
    up = cluster.restart();
    await up;
  }
  const told = await telling;
  await shop.until(() => told.every((nth) => came.get(nth)?.size === OBJECTS));
  const ours = shop.arrivals.filter(({ body }) => body.type === 'test.happened');
  for (const [, arrivals] of Map.groupBy(ours, ({ object }) => object)) {
    const firsts = [...new Set(arrivals.map(({ nth }) => nth))];
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    // One whose commit nobody has heard of may have come about; what was heard of has.
    for (const nth of told) expect(firsts).toContain(nth);
  }
  const repeated = ours.length - new Set(ours.map(({ body }) => body.id)).size;
  // At each crash what was under way comes again: sent, and not written down. It counts as under way until it
  // is, so that these are never more than may be at a time, and the endpoint changes hands once at the most.
  expect(repeated).toBeLessThanOrEqual(CONCURRENCY * CRASHES.length);
  expect(ours.every((arrival) => isSignedBy(arrival, secret))).toBe(true);
});

/** So many events of each object, told while the server is there; answers which are known to have been. */
async function tellAll(client_id: number, up: () => Promise<void>): Promise<number[]> {
  const told: number[] = [];
  for (let nth = 1; nth <= EVENTS; nth += 1) {
    await up();
    const isTold = await transact(h.db, async (tx) => {
      for (let id = 1; id <= OBJECTS; id += 1)
        emit(tx, happened, { client_id, id, data: { writer: 1, nth } });
    }).then(
      () => true,
      () => false,
    );
    if (isTold) told.push(nth);
  }
  return told;
}
