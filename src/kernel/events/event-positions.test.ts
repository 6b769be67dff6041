import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { type EventsBench, eventsBench, happened, wholeLog } from '#test/events.ts';
import { emit } from './emit.ts';
import { readLog } from './event-log.ts';
import { eventById } from './event-positions.ts';

/** Events of those clients, in that order. */
async function emitEach(bench: EventsBench, clients: readonly number[]): Promise<void> {
  await transact(bench.db, async (tx) => {
    for (const [nth, client_id] of clients.entries())
      emit(tx, happened, { client_id, id: nth, data: { writer: client_id, nth } });
  });
  await bench.events.settle();
}

test('an event’s id says where it is, to us alone, and is of its moment', async () => {
  const bench = await eventsBench();
  await emitEach(bench, [1, 2, 1]);
  const { events } = await readLog(bench.db, { after: 0, limit: 10 });
  expect(events).toHaveLength(3);
  for (const event of events) {
    expect(event.event_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    const [time = '', rest = ''] = event.event_id.split('-');
    expect(Number.parseInt(time + rest, 16)).toBe(Date.parse(event.at));
    for (const client_id of [event.client_id, undefined])
      expect(await eventById(bench.db, event.event_id, client_id)).toMatchObject({
        position: event.position,
        data: event.data,
      });
    expect(await eventById(bench.db, event.event_id, 3)).toBeUndefined();
  }
  // Of two that follow each other the ids do not: the position is hidden, and much is chance.
  const ends = events.map(({ event_id }) => BigInt(`0x${event_id.slice(19).replace('-', '')}`));
  expect((ends[1] ?? 0n) - (ends[0] ?? 0n)).not.toBe((ends[2] ?? 0n) - (ends[1] ?? 0n));
  // Another installation hides it otherwise.
  const other = await eventsBench();
  await emitEach(other, [1, 2, 1]);
  for (const { event_id } of events)
    expect(await eventById(other.db, event_id, undefined)).toBeUndefined();
});

test('an id that was almost guessed finds nothing', async () => {
  const bench = await eventsBench();
  await emitEach(bench, [1]);
  const [event] = (await readLog(bench.db, { after: 0, limit: 1 })).events;
  const id = event?.event_id ?? '';
  const last = id.endsWith('0') ? '1' : '0';
  for (const wrong of [`${id.slice(0, -1)}${last}`, `${id.slice(0, 14)}7${id.slice(15)}`])
    expect(await eventById(bench.db, wrong, undefined)).toBeUndefined();
});

test('an event from before ids said where it is, is still found by its id', async () => {
  const bench = await eventsBench();
  const { db } = bench;
  await emitEach(bench, [1]);
  const event_id = '019aab3c-5f10-7abc-8def-0123456789ab';
  await run(
    db,
    `insert into events.log (position, event_id, client_id, seq, type, schema_version, object_type, object_id,
       data, at, actor)
     values (2, $1, 1, 2, 'test.happened', 1, 'test', 'old', '{}', service_now(), 'system')`,
    [event_id],
  );
  expect(await eventById(db, event_id, 1)).toBeUndefined();
  await run(db, 'insert into events.earlier_ids (event_id, position) values ($1, 2)', [event_id]);
  expect(await eventById(db, event_id, 1)).toMatchObject({ position: 2, object_id: 'old' });
});

test.each([
  ['alone', () => 1],
  ['among others', (nth: number) => 1 + ((nth * nth) % 7)],
  ['rarely', (nth: number) => (nth % 97 === 13 ? 1 : 2)],
  ['in bursts', (nth: number) => (nth % 200 < 60 ? 1 : 2)],
  ['at the ends', (nth: number) => (nth < 20 || nth > 380 ? 1 : 2)],
])('a client’s number leads to its position, where it has events %s', async (_, clientOf) => {
  const bench = await eventsBench();
  await emitEach(
    bench,
    Array.from({ length: 400 }, (_, nth) => clientOf(nth)),
  );
  const own = (await wholeLog(bench.db)).filter(({ client_id }) => client_id === 1);
  const found = await run<{ seq: number; position: number }>(
    bench.db,
    `select seq, events.position_of(1, seq) as position from generate_series(1, $1::bigint) as seq`,
    [own.length],
  );
  expect(found).toEqual(own.map(({ seq, position }) => ({ seq, position })));
  const [edge] = await run(
    bench.db,
    `select events.position_of(1, 0) as none, events.position_of(1, $1) as last, events.position_of(9, 5) as nobody`,
    [Number.MAX_SAFE_INTEGER],
  );
  expect(edge).toEqual({ none: 0, last: own.at(-1)?.position, nobody: 0 });
});

test('a process that comes right after a pass learns when to come again, unless a clock was set back', async () => {
  const bench = await eventsBench();
  const { db, presence, events } = bench;
  await emitEach(bench, [1]);
  const tell = () =>
    transact(db, async (tx) =>
      emit(tx, happened, { client_id: 1, id: 'x', data: { writer: 1, nth: 1 } }),
    );
  await tell();
  const setRest = (by: string) =>
    run(db, `update events.head set rest_until = clock_timestamp() + $1::interval`, [by]);
  const inTurn = () => presence.query('select moved, rest from events.move_in_turn(0, 1)', []);
  // Again where the machine has slept over it, since the rest is short.
  await expect
    .poll(async () => {
      await setRest('40 ms');
      return inTurn();
    })
    .toEqual([{ moved: null, rest: expect.any(Number) }]);
  for (const wrong of ['41 s', '1 hour', '-1 hour']) {
    await setRest(wrong);
    await tell();
    // It took all that it may at once, so there may be more.
    expect(await inTurn()).toEqual([{ moved: 1, rest: 0 }]);
  }
  await events.settle();
  expect(await wholeLog(db)).toHaveLength(5);
});
