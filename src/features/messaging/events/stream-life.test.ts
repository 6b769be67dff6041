import { once } from 'node:events';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { emit } from '#kernel/events/emit.ts';
import { defineEvent } from '#kernel/events/event-type.ts';
import type { ApiKey } from '#kernel/http/declare/api-key.ts';
import type { Outlet } from '#kernel/http/declare/outlet.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { happened } from '#test/events.ts';
import { harness, type Person } from '#test/harness.ts';
import { heldTimers } from '#test/held-timers.ts';
import { followStream, WAITING_MAX } from './stream-life.ts';

const large = defineEvent('test.grown', {
  schema: Type.Object({ text: Type.String() }),
  summary: 'Something large has happened',
  example: { text: 'a' },
  since: '2026-11',
});
const h = await harness({ features: () => [{ name: 'testing', events: [happened, large] }] });
const hashOf = (key: string): string => digestOf(key).toString('hex');
const TEXT = 'x'.repeat(60_000);

const emitLarge = (client_id: number, times: number) =>
  transact(h.db, async (tx) => {
    for (let id = 1; id <= times; id += 1) emit(tx, large, { client_id, id, data: { text: TEXT } });
  });

/** The other side of a stream, which takes what it is sent only when the test says so. */
function otherSide() {
  const heard: string[] = [];
  const over: (() => void)[] = [];
  const drained: (() => void)[] = [];
  const state = { waiting: 0, isTaking: true, said: 'open' };
  const close = () => {
    for (const act of over.splice(0)) act();
  };
  const out: Outlet = {
    write(text) {
      heard.push(text);
      if (!state.isTaking) state.waiting += text.length;
    },
    get waiting() {
      return state.waiting;
    },
    onDrained: (act) => void drained.push(act),
    onEnd: (act) => void over.push(act),
    end() {
      if (state.said === 'open') state.said = 'ended';
      if (state.waiting === 0) close();
    },
    drop() {
      state.said = 'dropped';
      close();
    },
  };
  return { out, heard, state };
}

/** A stream of somebody's own events from now on, or from a place, by timers that the test holds. */
async function stream(as: Person, after?: number, key: ApiKey | null = null) {
  const timers = heldTimers();
  const side = otherSide();
  const { rows } = await h.kernel.pool.query('select position from events.head');
  const session = await h.db
    .selectFrom('sessions')
    .select('session_id')
    .where('user_id', '=', as.user_id)
    .executeTakeFirstOrThrow();
  const { user_id, client_id } = as;
  const caller: UserCaller = {
    key,
    user_id,
    client_id,
    role: 'admin',
    operator: false,
    session_id: session.session_id,
  };
  followStream(
    { ...h.kernel, live: false, timers },
    {
      caller,
      reader: { client_id },
      types: ['test.happened', 'test.grown'],
      db: h.db,
      out: side.out,
      after: after ?? Number(rows[0].position),
    },
  );
  return { ...side, timers };
}

test('a stream beats every fifteen seconds, and ends after fifteen minutes', async () => {
  const { heard, state, timers } = await stream(await h.user({ role: 'admin' }));
  timers.pass(14_999);
  expect(heard).toEqual([]);
  timers.pass(1);
  expect(heard).toEqual([':\n\n']);
  timers.pass(15 * 60_000 - 15_001);
  expect([heard.length, state.said]).toEqual([59, 'open']);
  timers.pass(1);
  expect(state.said).toBe('ended');
  expect([timers.open, h.kernel.events.followers()]).toEqual([0, 0]);
});

test('a stream ends with the session that it was begun in, at the next beat', async () => {
  const as = await h.user({ role: 'admin' });
  const { state, timers } = await stream(as);
  timers.pass(15_000);
  await h.db
    .updateTable('sessions')
    .set({ revoked_at: h.clock.now().toISOString() })
    .where('user_id', '=', as.user_id)
    .execute();
  timers.pass(15_000);
  await expect.poll(() => state.said).toBe('ended');
  expect([timers.open, h.kernel.events.followers()]).toEqual([0, 0]);
});

test.each(['client', 'key'])(
  'a stream ends at the next beat once its %s is let in no more',
  async (what) => {
    const as = await h.user({ role: 'admin' });
    const app = await h.user();
    const key = (await h.kernel.credentials.findKey(hashOf(await h.apiKey(app)))) ?? null;
    const { state, timers } = await stream(as, undefined, key);
    timers.pass(15_000);
    const { client_id } = what === 'client' ? as : app;
    const stopped = { client_status: 'SUSPENDED' };
    await h.db.updateTable('clients').set(stopped).where('client_id', '=', client_id).execute();
    timers.pass(15_000);
    await expect.poll(() => state.said).toBe('ended');
  },
);

test('what the other side does not take is kept to 256 KiB, and then it is dropped', async () => {
  const as = await h.user({ role: 'admin' });
  const { state, heard } = await stream(as);
  // It has caught up with what was there before, and hears what comes from now on.
  await emitLarge(as.client_id, 1);
  await expect.poll(() => heard.length).toBe(1);
  heard.length = 0;
  state.isTaking = false;
  const most = Math.floor(WAITING_MAX / TEXT.length);
  await emitLarge(as.client_id, most);
  await expect.poll(() => heard.length).toBe(most);
  expect(state.said).toBe('open');
  await emitLarge(as.client_id, 3);
  await expect.poll(() => state.said).toBe('dropped');
  expect(heard).toHaveLength(most + 1);
  expect(h.kernel.events.followers()).toBe(0);
});

test('a reader of old events that takes nothing for half a minute is dropped', async () => {
  const as = await h.user({ role: 'admin' });
  await emitLarge(as.client_id, 4);
  await h.kernel.events.settle();
  const { state, heard, timers } = await stream(as, 0);
  state.isTaking = false;
  await expect.poll(() => [heard.length, timers.open]).toEqual([2, 3]);
  timers.pass(29_999);
  expect(state.said).toBe('open');
  timers.pass(1);
  expect(state.said).toBe('dropped');
  await expect.poll(() => h.kernel.events.followers()).toBe(0);
  expect(timers.open).toBe(0);
});

test('a stream that has ended does not wait for a reader that takes nothing', async () => {
  const as = await h.user({ role: 'admin' });
  const { state, heard, timers } = await stream(as);
  state.isTaking = false;
  await emitLarge(as.client_id, 1);
  await expect.poll(() => heard.length).toBe(1);
  timers.pass(15 * 60_000);
  expect([state.said, h.kernel.events.followers()]).toEqual(['ended', 1]);
  timers.pass(30_000);
  expect([state.said, h.kernel.events.followers(), timers.open]).toEqual(['dropped', 0, 0]);
});

test('a socket that is not read from costs no more than that', async () => {
  const as = await h.user({ role: 'admin' });
  const { port, hostname, pathname } = new URL(h.app.apiUrl());
  const socket = connect(Number(port), hostname);
  const head = [
    `GET ${pathname}/events/stream?type=test.grown HTTP/1.1`,
    `host: ${hostname}`,
    `x-api-key: ${h.key}`,
    `authorization: Bearer ${as.token}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('200 OK');
  socket.pause();
  await expect.poll(() => h.kernel.events.followers()).toBe(1);
  // More than the buffers of both ends of a connection hold.
  await emitLarge(as.client_id, 400);
  await expect.poll(() => h.kernel.events.followers()).toBe(0);
  socket.destroy();
});
