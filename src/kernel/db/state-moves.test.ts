import { Type } from 'typebox';
import { expect, test } from 'vitest';
import {
  type Doubt,
  type StateRow,
  shownState,
  stateFields,
} from '#kernel/http/declare/state-fields.ts';
import { harness } from '#test/harness.ts';
import { run } from './db.ts';
import type { DB } from './schema.generated.ts';
import { firstStatusTimes, stateMovesOf } from './state-moves.ts';

const h = await harness();
await run(
  h.db,
  `create table orders_of_a_test (
     id integer primary key generated always as identity, status text not null, status_times jsonb not null,
     failure jsonb, version integer not null default 1, note text,
     created_at timestamptz not null default service_now(), updated_at timestamptz not null default service_now())`,
  [],
);

const STATUSES = ['PENDING', 'COMPLETED', 'RETURNED'] as const;
interface Order extends StateRow<(typeof STATUSES)[number]> {
  readonly id: number;
  readonly note: string | null;
}
const moves = stateMovesOf<Order>('orders_of_a_test' as keyof DB);

async function order(): Promise<Order> {
  const [row] = await run<Order>(
    h.db,
    `insert into orders_of_a_test (status, status_times)
     values ('PENDING', ${firstStatusTimes('PENDING')}) returning *`,
    [],
  );
  if (!row) throw new Error('There is no row');
  return row;
}

test('a move counts the version and keeps the first time of each status', async () => {
  const { id, created_at } = await order();
  await h.advance(300_000);
  const paid = await moves.tryMove(h.db, { id, status: 'PENDING' }, 'COMPLETED', { note: 'x' });
  expect(paid).toMatchObject({ status: 'COMPLETED', version: 2, note: 'x' });
  expect(paid?.status_times).toEqual({ pending_at: created_at, completed_at: paid?.updated_at });
  await h.advance(300_000);
  const back = await moves.tryMove(h.db, { id }, 'PENDING');
  expect(back?.status_times).toEqual(paid?.status_times);
  expect(await moves.tryEdit(h.db, { id, version: 2 }, { note: 'y' })).toBeUndefined();
  expect(await moves.tryEdit(h.db, { id, version: 3 }, { note: 'y' })).toMatchObject({
    version: 4,
    note: 'y',
    status: 'PENDING',
  });
});

test('of twenty moves at once one is made', async () => {
  const { id } = await order();
  const done = await Promise.all(
    Array.from({ length: 20 }, () => moves.tryMove(h.db, { id, status: 'PENDING' }, 'COMPLETED')),
  );
  expect(done.filter((row) => row !== undefined)).toHaveLength(1);
});

test('the state fields of a row say what it waits for, and doubt comes first', async () => {
  const row = await order();
  expect(shownState(row)).toEqual({
    status: 'PENDING',
    substatus: null,
    status_times: { pending_at: row.created_at },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
  });
  const doubt: Doubt = { since: row.created_at, next_attempt_at: null, isStalled: false };
  const waits = 'waiting_for_provider';
  expect(shownState(row, { waits }).substatus).toBe(waits);
  const { substatus, in_doubt_since } = shownState(row, { doubt, waits });
  expect([substatus, in_doubt_since]).toEqual(['in_doubt', row.created_at]);
  expect(shownState(row, { doubt: { ...doubt, isStalled: true } }).substatus).toBe('stalled');
  const { properties } = Type.Object(stateFields(STATUSES));
  expect(Object.keys(properties)).toEqual(Object.keys(shownState(row)));
});
