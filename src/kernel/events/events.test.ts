import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { eventsBench, happened, type Line, wholeLog } from '#test/events.ts';
import { gate } from '#test/waiting.ts';
import { emit } from './emit.ts';
import { readLog } from './event-log.ts';

const range = (count: number, from = 1) => Array.from({ length: count }, (_, n) => from + n);

/** Of each client the numbers are those from 1 on, and so are the positions of all. */
function expectGapless(log: readonly Line[]): void {
  expect(log.map(({ position }) => position)).toEqual(range(log.length));
  for (const [, own] of Map.groupBy(log, ({ client_id }) => client_id))
    expect(own.map(({ seq }) => seq)).toEqual(range(own.length));
}

test('a reader who polls misses nothing of 16 writers, and sees nothing that was undone', async () => {
  const { db, events } = await eventsBench();
  events.start();
  const undone = new Set<string>();
  const committed: string[] = [];
  const each = 60;
  const write = async (writer: number) => {
    for (const nth of range(each)) {
      const id = `${writer}-${nth}`;
      const work = transact(db, async (tx) => {
        // Locks that writers wait for, and pauses while a transaction is open.
        await run(tx, 'select pg_advisory_xact_lock(1, $1)', [nth % 5]);
        emit(tx, happened, { client_id: 1 + (writer % 3), id, data: { writer, nth } });
        await run(tx, 'select pg_sleep($1::float8 / 1000)', [(writer * nth) % 4]);
        if (nth % 10 === 0) throw new Error('undone');
      });
      await work.then(
        () => committed.push(id),
        () => undone.add(id),
      );
    }
  };
  let isWriting = true;
  const seen: string[] = [];
  let after = 0;
  const look = async () => {
    const stretch = await readLog(db, { after, limit: 100 });
    after = stretch.upto;
    seen.push(...stretch.events.map(({ object_id }) => object_id));
    return stretch.events.length;
  };
  const reading = (async () => {
    while (isWriting) await look();
  })();
  await Promise.all(range(16).map(write));
  isWriting = false;
  await reading;
  await events.settle();
  while ((await look()) > 0);

  expect(committed).toHaveLength(16 * each * 0.9);
  expect(new Set(seen)).toEqual(new Set(committed));
  expect(seen).toHaveLength(committed.length);
  expect(seen.filter((id) => undone.has(id))).toEqual([]);
  const log = await wholeLog(db);
  expectGapless(log);
  expect(log.map(({ object_id }) => object_id)).toEqual(seen);
  // What one writer has done after another thing stands after it.
  for (const writer of range(16)) {
    const own = seen.filter((id) => id.startsWith(`${writer}-`)).map((id) => id.split('-')[1]);
    expect(own.map(Number)).toEqual(range(each).filter((nth) => nth % 10 !== 0));
  }
});

test('an event follows the event that its transaction waited for, however early it was emitted', async () => {
  const { db, events } = await eventsBench();
  const locked = gate();
  const data = { writer: 1, nth: 1 };
  const cause = transact(db, async (tx) => {
    await run(tx, 'select pg_advisory_xact_lock(2, 2)', []);
    await locked.pass();
    emit(tx, happened, { client_id: 1, id: 'cause', data });
  });
  await locked.reached;
  const effect = transact(db, async (tx) => {
    emit(tx, happened, { client_id: 1, id: 'effect', data });
    await run(tx, 'select pg_advisory_xact_lock(2, 2)', []);
  });
  const waiting =
    'select from pg_stat_activity where wait_event = $1 and datname = current_database()';
  await expect.poll(async () => (await run(db, waiting, ['advisory'])).length).toBe(1);
  locked.open();
  await Promise.all([cause, effect]);
  await events.settle();
  expect((await wholeLog(db)).map(({ object_id }) => object_id)).toEqual(['cause', 'effect']);
});

test('a transaction that stays open holds up nobody else’s events', async () => {
  const { db, events } = await eventsBench();
  const held = gate();
  const data = { writer: 1, nth: 1 };
  const idle = transact(db, async (tx) => {
    await run(tx, 'select pg_current_xact_id()', []);
    await held.pass();
    emit(tx, happened, { client_id: 1, id: 'late', data });
  });
  await held.reached;
  await transact(db, async (tx) => emit(tx, happened, { client_id: 1, id: 'early', data }));
  expect(await events.settle()).toBe(1);
  held.open();
  await idle;
  expect(await events.settle()).toBe(1);
  expect((await wholeLog(db)).map(({ object_id }) => object_id)).toEqual(['early', 'late']);
});

test('an event cannot be emitted outside of a transaction, nor after it', async () => {
  const { db } = await eventsBench();
  const happening = { client_id: 1, id: 1, data: { writer: 1, nth: 1 } };
  expect(() => emit(db, happened, happening)).toThrow('outside of a transaction');
  const over = await transact(db, async (tx) => tx);
  expect(() => emit(over, happened, happening)).toThrow('outside of a transaction');
});

test('an event has only the fields of its schema, and no more than 64 KiB of them', async () => {
  const { db, events } = await eventsBench();
  const data = { writer: 7, nth: 8, password: 'hunter2' };
  await transact(db, async (tx) => {
    emit(tx, happened, { client_id: 1, user_id: 5, id: 'x', data, previous: { nth: 7 } });
    const large = { why: 'a'.repeat(70_000), was: 'b' };
    emit(tx, happened, { client_id: 1, id: 'y', data, previous: large });
  });
  await events.settle();
  const { events: logged } = await readLog(db, { after: 0, limit: 10 });
  expect(logged.map(({ data: text }) => JSON.parse(text))).toEqual([
    { writer: 7, nth: 8, previous: { nth: 7 } },
    { writer: 7, nth: 8, omitted: ['previous'] },
  ]);
  expect(logged[0]).toMatchObject({
    user_id: 5,
    type: 'test.happened',
    object_type: 'test',
    actor: 'system',
  });
});

test('a reader of one client’s rare events learns how far the log was scanned', async () => {
  const { db, events } = await eventsBench();
  const data = { writer: 1, nth: 1 };
  await transact(db, async (tx) => {
    for (const nth of range(20)) emit(tx, happened, { client_id: nth % 2, id: nth, data });
  });
  await events.settle();
  const read = async (after: number, limit: number, types?: string[], client_id?: number) => {
    const { events: found, upto } = await readLog(db, { after, limit, types, client_id });
    return [found.map(({ object_id }) => Number(object_id)), upto];
  };
  expect(await read(0, 3)).toEqual([[1, 2, 3], 3]);
  expect(await read(3, 3, ['test.happened'], 0)).toEqual([[4, 6, 8], 8]);
  expect(await read(3, 3, ['other.happened'], 0)).toEqual([[], 20]);
  expect(await read(17, 50, undefined, 1)).toEqual([[19], 20]);
  expect(await read(20, 50)).toEqual([[], 20]);
});
