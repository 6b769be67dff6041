import { expect, test } from 'vitest';
import { emit } from '#kernel/events/emit.ts';
import { transact } from '#kernel/transact.ts';
import { happened } from '#test/events.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness({ features: () => [{ name: 'testing', events: [happened] }] });

interface Heard {
  readonly id: number;
  readonly event: string;
  readonly data: { readonly after?: number; readonly object?: { readonly id: string } };
}

/** A stream, message by message. */
async function listen(as: Person, path = '', headers: Record<string, string> = {}) {
  const ended = new AbortController();
  const reply = await fetch(`${h.app.apiUrl()}/events/stream${path}`, {
    headers: { 'x-api-key': h.key, authorization: `Bearer ${as.token}`, ...headers },
    signal: ended.signal,
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    reply,
    /** The next message; nothing when the stream has ended. */
    async next(): Promise<Heard | undefined> {
      for (;;) {
        const end = rest.indexOf('\n\n');
        if (end === -1) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
          if (done) return undefined;
          rest += value;
          continue;
        }
        const lines = rest.slice(0, end).split('\n');
        rest = rest.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field('data');
        if (data !== undefined)
          return { id: Number(field('id')), event: field('event') ?? '', data: JSON.parse(data) };
      }
    },
    end: () => ended.abort(),
  };
}

const tell = (client_id: number, ids: readonly number[], user_id?: number) =>
  transact(h.db, async (tx) => {
    for (const id of ids)
      emit(tx, happened, { client_id, user_id: user_id ?? null, id, data: { writer: 1, nth: id } });
  });

test('what happens is heard as it comes, after the place that was ready', async () => {
  const [admin, other] = [await h.user({ role: 'admin' }), await h.user({ role: 'admin' })];
  await tell(admin.client_id, [1]);
  await h.kernel.events.settle();
  const stream = await listen(admin, '?type=test.*');
  expect(stream.reply.headers.get('content-type')).toContain('text/event-stream');
  expect(stream.reply.headers.get('x-request-id')).toMatch(/./);
  const ready = await stream.next();
  expect(ready).toMatchObject({ event: 'ready', data: { after: ready?.id } });
  await tell(other.client_id, [2]);
  await tell(admin.client_id, [3, 4]);
  const heard = [await stream.next(), await stream.next()];
  expect(heard.map((one) => [one?.event, one?.data.object?.id])).toEqual([
    ['test.happened', '3'],
    ['test.happened', '4'],
  ]);
  expect(heard.map((one) => one?.id)).toEqual([(ready?.id ?? 0) + 1, (ready?.id ?? 0) + 2]);
  stream.end();
});

test('a reader that returns names its last event, and misses none', async () => {
  const admin = await h.user({ role: 'admin' });
  const before = await listen(admin, '?type=test.*');
  await before.next();
  await tell(admin.client_id, [1, 2]);
  const last = await before.next();
  before.end();
  await tell(admin.client_id, [3]);
  const after = await listen(admin, '?type=test.*', { 'last-event-id': String(last?.id) });
  expect(await after.next()).toMatchObject({ event: 'ready', id: last?.id });
  await tell(admin.client_id, [4]);
  const ids = [await after.next(), await after.next(), await after.next()];
  expect(ids.map((one) => one?.data.object?.id)).toEqual(['2', '3', '4']);
  after.end();
});

test('many streams hear the same, each what is theirs, however far behind they begin', async () => {
  const admin = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: admin.client_id });
  const early = Array.from({ length: 600 }, (_, n) => n + 1);
  await tell(admin.client_id, early);
  await h.kernel.events.settle();
  const streams = await Promise.all([
    listen(admin, '?after=0&type=test.happened'),
    listen(admin, '?after=0&type=test.happened'),
    listen(user, '?type=test.happened'),
  ]);
  for (const stream of streams) await stream.next();
  await tell(admin.client_id, [601]);
  await tell(admin.client_id, [602], user.user_id);
  for (const stream of streams.slice(0, 2)) {
    const ids: (string | undefined)[] = [];
    while (ids.length < 602) ids.push((await stream.next())?.data.object?.id);
    expect(ids.map(Number)).toEqual([...early, 601, 602]);
  }
  expect((await streams[2]?.next())?.data.object?.id).toBe('602');
  for (const stream of streams) stream.end();
});

test('what cannot be streamed is refused before it begins', async () => {
  const admin = await h.user({ role: 'admin' });
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    (await listen(admin, path, headers)).reply.status;
  expect(await ask('?type=weather.*')).toBe(400);
  expect(await ask('?after=99999')).toBe(400);
  expect(await ask('', { 'last-event-id': 'abc' })).toBe(400);
  const streams = await Promise.all(Array.from({ length: 20 }, () => listen(admin)));
  expect((await listen(admin)).reply.status).toBe(429);
  for (const stream of streams) stream.end();
  await expect.poll(async () => (await listen(admin)).reply.status).toBe(200);
});
