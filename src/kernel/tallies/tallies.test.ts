import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';
import { foldTallies, readTallies } from './tallies.ts';

const h = await harness();
const tally = (what: string, n: number, until: string | null = null) =>
  run(h.db, 'select tally($1, $2, $3, $4)', ['test', what, n, until]);
const told = async () => Object.fromEntries(await readTallies(h.db, 'test'));
const changes = () => run(h.db, "select from tally_changes where subject = 'test'", []);

test('a count is right at any moment, before and after its changes are folded in', async () => {
  await Promise.all(Array.from({ length: 20 }, () => tally('apples', 1)));
  await tally('pears', 3);
  expect(await told()).toEqual({ apples: 20, pears: 3 });
  await foldTallies(h.db, h.clock.now());
  expect(await changes()).toEqual([]);
  await tally('apples', -5);
  await tally('pears', -3);
  expect(await told()).toEqual({ apples: 15 });
  await Promise.all([foldTallies(h.db, h.clock.now()), foldTallies(h.db, h.clock.now())]);
  expect(await told()).toEqual({ apples: 15 });
});

test('what is counted of a time is forgotten once nothing asks for it', async () => {
  const in1h = new Date(h.clock.now().getTime() + 3600_000).toISOString();
  await tally('used', 2, in1h);
  await foldTallies(h.db, h.clock.now());
  expect(await told()).toMatchObject({ used: 2 });
  await h.advance(3601);
  await tally('used', -1, in1h);
  await foldTallies(h.db, h.clock.now());
  expect(await told()).not.toHaveProperty('used');
});

test('who changes a count does not wait for another who does', async () => {
  const one = await h.kernel.pool.connect();
  await one.query('begin');
  await one.query("select tally('test', 'held', 1)");
  await run(h.db, "select tally('test', 'held', 1)", []);
  await one.query('rollback');
  one.release();
  expect(await told()).toMatchObject({ held: 1 });
});
