import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { eventsBench, happened, wholeLog } from '#test/events.ts';
import { gate } from '#test/waiting.ts';
import { emit } from './emit.ts';
import { createLowWaterMark } from './low-water-mark.ts';

test('the floor rises behind what was moved, and never above what is still to come', async () => {
  const { db, events, presence } = await eventsBench();
  let now = 0;
  const floor = createLowWaterMark(presence, () => now);
  const tell = (id: string) =>
    transact(db, async (tx) =>
      emit(tx, happened, { client_id: 1, id, data: { writer: 1, nth: 1 } }),
    );
  /** A move and, a second later, another look. */
  const step = async () => {
    await floor.passed({ any: (await events.settle()) > 0, isBehind: false });
    now += 1000;
    return floor.value;
  };
  const rise = async () => {
    for (let steps = 0; steps < 6; steps += 1) await step();
    return floor.value;
  };

  await tell('first');
  // Transactions of other databases hold it up, too.
  await expect.poll(step).toBe(1);

  // One that has its number, and does not commit yet.
  const slow = gate();
  const late = transact(db, async (tx) => {
    await run(
      tx,
      `insert into events.outbox (client_id, type, schema_version, object_type, object_id, data, at, actor)
       values (1, 'test.happened', 1, 'test', 'late', '{}', service_now(), 'system')`,
      [],
    );
    await slow.pass();
  });
  await slow.reached;
  await tell('second');
  expect(await rise()).toBeLessThan(2);

  slow.open();
  await late;
  await expect.poll(step).toBe(3);
  expect((await wholeLog(db)).map(({ object_id }) => object_id)).toEqual([
    'first',
    'second',
    'late',
  ]);

  // After ten minutes it is found anew.
  now += 600_000;
  await step();
  expect(floor.value).toBe(0);
  await tell('third');
  await expect.poll(step).toBe(4);
});
