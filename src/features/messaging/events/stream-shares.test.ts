import { expect, onTestFinished, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

/** Of 480 files streams may take 60: an unapproved client 3, all of them together 30, an approved one 15. */
const h = await harness({ mock: false, files: 480 });

async function client(client_status: 'ACTIVE' | 'PENDING'): Promise<number> {
  const { client_id } = await h.client();
  await h.db
    .updateTable('clients')
    .set({ client_status })
    .where('client_id', '=', client_id)
    .execute();
  return client_id;
}
const admin = (client_id: number) => h.user({ client_id, role: 'admin' });

async function open(as: Person, key = h.key) {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const reply = await fetch(`${h.app.apiUrl()}/events/stream`, {
    headers: { 'x-api-key': key, authorization: `Bearer ${as.token}` },
    signal: ended.signal,
  });
  const code = reply.ok
    ? undefined
    : ((await reply.json()) as { error: { code: string } }).error.code;
  return { status: reply.status, code, end: () => ended.abort() };
}

test('a client with many log-ins has its share of the streams, and another client finds room', async () => {
  const crowd = await client('PENDING');
  const opened = [];
  for (let n = 0; n < 4; n += 1) opened.push(await open(await admin(crowd)));
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(opened.at(-1)?.code).toBe('RATE_LIMITED');
  const [known, unknown] = [await client('ACTIVE'), await client('PENDING')];
  const others = await Promise.all(
    [admin(known), admin(unknown)].map(async (as) => open(await as)),
  );
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
});

test('a stream that has ended leaves its place to the next one', async () => {
  const client_id = await client('PENDING');
  const [first] = [await open(await admin(client_id)), await open(await admin(client_id))];
  await open(await admin(client_id));
  const late = await admin(client_id);
  expect((await open(late)).status).toBe(429);
  first?.end();
  await expect.poll(async () => (await open(late)).status).toBe(200);
});

test('a network of strangers has a tenth of the streams; approved clients there keep theirs', async () => {
  const before = h.kernel.shares.ceilings.streams.held();
  const refused: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const client_id = await client('PENDING');
    for (let m = 0; m < 3; m += 1) {
      const { code } = await open(await admin(client_id));
      if (code !== undefined) refused.push(code);
    }
  }
  expect(new Set(refused)).toEqual(new Set(['RATE_LIMITED']));
  expect(h.kernel.shares.ceilings.streams.held() - before).toBeLessThanOrEqual(6);
  expect((await open(await admin(await client('ACTIVE')))).status).toBe(200);
});
