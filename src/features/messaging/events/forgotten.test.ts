import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { transact } from '#kernel/transact.ts';
import { happened } from '#test/events.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness({ features: () => [{ name: 'testing', events: [happened] }] });
const PART = 1_000_000;
const MONTH_S = 31 * 86_400;

const read = async (as: Person, after: number): Promise<[number, Body]> =>
  h.call('GET /events', { as, query: { after } });
const stream = async (as: Person, after: number) => {
  const reply = await fetch(`${h.app.apiUrl()}/events/stream`, {
    headers: {
      'x-api-key': h.key,
      authorization: `Bearer ${as.token}`,
      'last-event-id': `${after}`,
    },
  });
  return [reply.status, await reply.json()];
};

test('who comes back after their place in the log was dropped hears where to go on', async () => {
  const [admin, operator] = [await h.user({ role: 'admin' }), await h.operator()];
  await h.kernel.events.settle();
  await run(h.db, 'update events.head set position = $1', [PART - 3]);
  const { client_id } = admin;
  await transact(h.db, async (tx) => {
    for (let nth = 1; nth <= 5; nth += 1)
      emit(tx, happened, { client_id, id: nth, data: { writer: 1, nth } });
  });
  await h.kernel.events.settle();
  const [, { data }] = await h.call('GET /events', { as: admin, query: { type: 'test.*' } });
  const sequences = new Map<number, number>(
    data.events.map(({ object, sequence }: Body) => [Number(object.id), sequence]),
  );
  const kept = sequences.get(3) ?? 0;
  const [early, late] = [randomUUID(), randomUUID()];
  await run(h.db, 'insert into events.earlier_ids (event_id, position) values ($1, $2), ($3, $4)', [
    early,
    PART - 1,
    late,
    PART,
  ]);

  await h.advance(MONTH_S);
  await h.drain();
  await h.advance(86_400);
  await h.drain();
  const parts = await run<{ name: string }>(
    h.db,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events.log'::regclass`,
    [],
  );
  expect(parts.map(({ name }) => name)).not.toContain('log_0');
  expect(await run(h.db, 'select event_id from events.earlier_ids', [])).toEqual([
    { event_id: late },
  ]);

  const as = {
    ...admin,
    ...(await h.kernel.sessions.open(h.db, { ...admin, method: 'password' })),
  };
  const gone = { error: { code: 'EVENTS_EXPIRED', oldest: kept, after: kept - 1 } };
  for (const place of [0, kept - 2]) {
    expect(await read(as, place)).toMatchObject([410, gone]);
    expect(await stream(as, place)).toMatchObject([410, gone]);
  }
  const [status, rest] = await read(as, kept - 1);
  const ids = rest.data.events
    .filter(({ type }: Body) => type === 'test.happened')
    .map(({ object }: Body) => object.id);
  expect([status, ids]).toEqual([200, ['3', '4', '5']]);

  const chief = {
    ...operator,
    ...(await h.kernel.sessions.open(h.db, { ...operator, method: 'password' })),
  };
  const all = { error: { code: 'EVENTS_EXPIRED', oldest: PART, after: PART - 1 } };
  expect(await read(chief, PART - 2)).toMatchObject([410, all]);
  expect((await read(chief, PART - 1))[0]).toBe(200);
});
