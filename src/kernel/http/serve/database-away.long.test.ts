// Long: a database is lost and comes back.

import { randomBytes, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { afterAll, expect, test } from 'vitest';
import { type Db, run } from '#kernel/db/db.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { createKernel, type Kernel } from '#kernel/kernel.ts';
import { harness } from '#test/harness.ts';
import { silentProxy } from '#test/silent-proxy.ts';
import { gate } from '#test/waiting.ts';
import { mount } from './mount.ts';
import { createServer } from './server.ts';

/** What becomes of a request whose database goes away in the middle, and of its Idempotency-Key. */

const secrets = {
  MASTER_KEY: `1:${randomBytes(32).toString('base64')}`,
  JWT_SECRET: randomBytes(32).toString('hex'),
  EVM_MNEMONIC: 'test test test test test test test test test test test junk',
};
const h = await harness({ masterKey: secrets.MASTER_KEY, jwtSecret: secrets.JWT_SECRET });
await run(h.db, 'create table done_work (operation uuid primary key, times integer)', []);
const proxy = await silentProxy(h.kernel.pool.options.connectionString ?? '');

const doIt = (db: Db, operation: string) =>
  run(
    db,
    `insert into done_work values ($1, 1)
     on conflict (operation) do update set times = done_work.times + 1`,
    [operation],
  );
const times = async () =>
  (await run<{ times: number }>(h.db, 'select times from done_work', [])).map((row) => row.times);

/** One endpoint in two processes: one reaches the database through the proxy, the other directly. */
async function processes(
  handler: (db: Db, operation: string) => Promise<unknown>,
  { atomic = false } = {},
) {
  await run(h.db, 'truncate done_work, idempotency_keys', []);
  const route = endpoints(errorEnvelope)('POST /things', {
    name: 'things.do',
    auth: 'public',
    summary: 'Has an effect',
    atomic,
    reply: { 200: Type.Object({ operation: Type.String() }) },
    async handler({ db, operation }) {
      await handler(db, operation);
      return { operation };
    },
  });
  const config = { ...h.kernel.config, DB_PREPARED: false };
  const { clock, log } = h.kernel;
  const kernel = await createKernel({ config, secrets, clock, log, databaseUrl: proxy.url });
  const key = randomUUID();
  const [far, near] = [await serve(kernel, route, key), await serve(h.kernel, route, key)];
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= kernel.close());
  ends.push(close, far.close, near.close);
  return { far: far.post, near: near.post, close };
}

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  proxy.giveBack();
  for (const end of ends) await end();
  proxy.close();
});

async function serve(kernel: Kernel, route: Route, key: string) {
  const options = { corsOrigins: '', trustProxy: undefined, routes: [route] };
  const server = await createServer({ ...kernel, ...options });
  await server.register(async (api) => mount(api, [route], kernel), { prefix: '/api' });
  return {
    async post() {
      const headers = { 'idempotency-key': key };
      const reply = await server.inject({ method: 'POST', url: '/api/things', headers });
      const replayed = reply.headers['idempotent-replayed'] === 'true';
      return { status: reply.statusCode, body: reply.json(), replayed };
    },
    close: () => server.close(),
  };
}

const UNKNOWN = { status: 503, body: { code: 'OVERLOADED' } };

/** Asks again while the pool still hands out connections that the database has left. */
async function answered(post: Post): ReturnType<Post> {
  for (;;) {
    const reply = await post();
    if (reply.status !== 503) return reply;
  }
}
type Post = Awaited<ReturnType<typeof serve>>['post'];

test('what was in flight when the database went away is answered when it is asked for again', async () => {
  const attempts: string[] = [];
  const { far } = await processes(async (db, operation) => {
    if (attempts.push(operation) === 1) proxy.takeAway();
    await doIt(db, operation);
  });
  expect(await far()).toMatchObject(UNKNOWN);
  expect(await far()).toMatchObject(UNKNOWN);
  proxy.giveBack();
  // At once: no clock has moved, and nobody was told to wait.
  expect(await answered(far)).toMatchObject({ status: 200, replayed: false });
  expect(await far()).toMatchObject({ status: 200, replayed: true });
  expect([new Set(attempts).size, await times()]).toEqual([1, [1]]);
});

test('another process may take it over as soon as the first has the database back', async () => {
  let attempts = 0;
  const { far, near } = await processes(async (db, operation) => {
    attempts += 1;
    if (attempts === 1) proxy.takeAway();
    await doIt(db, operation);
  });
  expect(await far()).toMatchObject(UNKNOWN);
  proxy.giveBack();
  await expect.poll(async () => (await near()).status).toBe(200);
  expect(await answered(far)).toMatchObject({ status: 200, replayed: true });
  expect([attempts, await times()]).toEqual([2, [1]]);
});

test('an answer that could not be stored is found again by its operation', async () => {
  const { far } = await processes(async (db, operation) => {
    const [done] = await run(h.db, 'select from done_work where operation = $1', [operation]);
    if (done) return;
    await doIt(db, operation);
    proxy.takeAway();
  });
  expect(await far()).toMatchObject(UNKNOWN);
  proxy.giveBack();
  expect(await answered(far)).toMatchObject({ status: 200, replayed: false });
  expect(await times()).toEqual([1]);
});

test('a refusal that could not be stored keeps nobody from asking again', async () => {
  let attempts = 0;
  const { far } = await processes(async () => {
    attempts += 1;
    if (attempts > 1) return;
    proxy.takeAway();
    throw Object.assign(new Error('refused'), { statusCode: 400 });
  });
  expect(await far()).toMatchObject(UNKNOWN);
  proxy.giveBack();
  expect(await answered(far)).toMatchObject({ status: 200, replayed: false });
});

test('what was committed without an answer is not done again', async () => {
  let attempts = 0;
  const work = async (db: Db, operation: string) => {
    attempts += 1;
    await doIt(db, operation);
    proxy.takeAwayAfter('commit');
  };
  const { far } = await processes(work, { atomic: true });
  expect(await far()).toMatchObject(UNKNOWN);
  expect(await times()).toEqual([1]);
  proxy.giveBack();
  expect(await answered(far)).toMatchObject({ status: 200, replayed: true });
  expect([attempts, await times()]).toEqual([1, [1]]);
});

test('a key that was taken without an answer is free for its own process and for others', async () => {
  for (const asker of ['far', 'near'] as const) {
    const both = await processes(doIt);
    proxy.takeAwayAfter('claim_keys');
    expect(await both.far()).toMatchObject(UNKNOWN);
    expect(await times()).toEqual([]);
    proxy.giveBack();
    if (asker === 'far')
      expect(await answered(both.far)).toMatchObject({ status: 200, replayed: false });
    else await expect.poll(async () => (await both.near()).status).toBe(200);
    expect(await times()).toEqual([1]);
  }
});

test('a process that ends before the database is back leaves the key to the others', async () => {
  let attempts = 0;
  const { far, near, close } = await processes(async (db, operation) => {
    attempts += 1;
    if (attempts === 1) proxy.takeAway();
    await doIt(db, operation);
  });
  expect(await far()).toMatchObject(UNKNOWN);
  await close();
  proxy.giveBack();
  await expect.poll(async () => (await near()).status).toBe(200);
  expect(await times()).toEqual([1]);
});

/** Of the process whose attempt waits for its answer. */
const session = async () =>
  (
    await run<{ session: number | null }>(
      h.db,
      'select process_session(holder) as session from idempotency_keys where status is null',
      [],
    )
  )[0]?.session;
const IN_PROGRESS = { code: 'IDEMPOTENCY_IN_PROGRESS' };

test('an attempt that is still running is not taken over, however often its database went away', async () => {
  const { pass, reached, open } = gate();
  const { far, near } = await processes(async (db, operation) => {
    await pass();
    await doIt(db, operation);
  });
  const first = far();
  await reached;
  proxy.takeAway();
  await expect.poll(session).toBeNull();
  proxy.giveBack();
  await expect.poll(session).not.toBeNull();
  for (const post of [far, near])
    expect(await answered(post)).toMatchObject({ status: 409, body: IN_PROGRESS });
  open();
  expect(await first).toMatchObject({ status: 200, replayed: false });
  expect(await near()).toMatchObject({ status: 200, replayed: true });
  expect(await times()).toEqual([1]);
});
