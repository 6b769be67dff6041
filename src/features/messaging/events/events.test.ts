import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { transact } from '#kernel/transact.ts';
import { emittedEvents } from '#test/emitted-events.ts';
import { happened } from '#test/events.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness({ features: () => [{ name: 'testing', events: [happened] }] });

const list = async (
  as: Person | undefined,
  query: Record<string, string | number> = {},
  key?: string,
) => {
  const answer = await h.call('GET /events', { ...(as && { as }), ...(key && { key }), query });
  expect(answer[0], JSON.stringify(answer[1])).toBe(200);
  return answer[1].data;
};
const typesIn = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);
const idsIn = ({ events }: { events: { object: { id: string } }[] }) =>
  events.map(({ object }) => Number(object.id));

test('a top-up emits its request, its wallet’s entry and its new status', async () => {
  const as = await h.user();
  const headers = { 'idempotency-key': 'first-top-up', 'x-request-id': 'request-of-mine' };
  const [, body] = await h.call('POST /card-checkout/card', {
    as,
    headers,
    body: {
      card_number: '4111111111111111',
      expiry_date: '1239',
      amount: 100,
      currency_code: 'USD',
    },
  });
  await h.kernel.events.settle();
  const found = await list(as, { type: 'payment.*,wallet.credited' });
  expect(typesIn(found)).toEqual(['wallet.credited', 'payment.succeeded']);
  const request = {
    id: 'request-of-mine',
    idempotency_key: 'first-top-up',
    actor: `user:${as.user_id}`,
    operation: expect.stringMatching(/^[0-9a-f-]{36}$/),
  };
  const [credited, succeeded] = found.events;
  expect(succeeded).toEqual({
    id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
    type: 'payment.succeeded',
    timestamp: expect.any(String),
    schema_version: 1,
    client_id: as.client_id,
    sequence: expect.any(Number),
    live: false,
    object: { type: 'payment', id: body.data.reference_id, version: succeeded.sequence },
    request,
    data: expect.objectContaining({
      rail: 'card',
      amount: 100,
      net_amount: 97,
      status: 'SUCCESS_RECEIVED',
    }),
  });
  expect(credited).toMatchObject({
    request,
    data: { amount: '97.00', balance_after: '97.00', reference: `card:${body.data.reference_id}` },
  });
  const [status, one] = await h.call('GET /events/{event_id}', {
    as,
    params: { event_id: succeeded.id },
  });
  expect([status, one.data]).toEqual([200, succeeded]);
});

/** Things that have happened to two clients, in turns. */
async function world() {
  const admin = await h.user({ role: 'admin' });
  const { client_id } = admin;
  const user = await h.user({ client_id });
  const stranger = await h.user({ role: 'admin' });
  await transact(h.db, async (tx) => {
    for (let nth = 1; nth <= 12; nth += 1) {
      const whose = nth % 2 === 0 ? { client_id } : { client_id: stranger.client_id };
      const about = nth % 4 === 0 ? { user_id: user.user_id } : {};
      emit(tx, happened, { ...whose, ...about, id: nth, data: { writer: 1, nth } });
    }
  });
  await h.kernel.events.settle();
  return { admin, user, stranger };
}

test('a client’s admins and their keys see the client, users themselves, the operator all', async () => {
  const { admin, user, stranger } = await world();
  const operator = await h.operator();
  const type = 'test.*';
  const see = async (as: Person | undefined, key?: string) => idsIn(await list(as, { type }, key));
  expect(await see(admin)).toEqual([12, 10, 8, 6, 4, 2]);
  expect(await see(user)).toEqual([12, 8, 4]);
  expect(await see(stranger)).toEqual([11, 9, 7, 5, 3, 1]);
  expect(await see(operator)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const keyOf = ({ client_id, user_id }: Person) => h.apiKey({ client_id, user_id });
  expect(await see(undefined, await keyOf(admin))).toEqual([12, 10, 8, 6, 4, 2]);
  expect(await see(undefined, await keyOf(user))).toEqual([12, 8, 4]);
  // A log-in counts more than the key that goes along with it.
  expect(await see(user, await keyOf(admin))).toEqual([12, 8, 4]);
  const [status, body] = await h.call('GET /events');
  expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);

  const [mine] = await emittedEvents(h, 'test', 2);
  const [theirs] = await emittedEvents(h, 'test', 4);
  const ask = async (as: Person, event_id: string) =>
    (await h.call('GET /events/{event_id}', { as, params: { event_id } }))[0];
  expect([
    await ask(admin, mine.id),
    await ask(user, theirs.id),
    await ask(operator, mine.id),
  ]).toEqual([200, 200, 200]);
  expect([
    await ask(stranger, mine.id),
    await ask(user, mine.id),
    await ask(user, 'evt_1'),
  ]).toEqual([404, 404, 404]);
});

test('pages go back to the beginning, and forward from any place', async () => {
  const { admin } = await world();
  const seen: number[] = [];
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const page: { next_before: number | null; events: { object: { id: string } }[] } = await list(
      admin,
      { type: 'test.happened', limit: 4, before },
    );
    seen.push(...idsIn(page));
    before = page.next_before;
  }
  expect(seen).toEqual([12, 10, 8, 6, 4, 2]);
  const [first] = (await list(admin, { type: 'test.*', after: 0, limit: 1 })).events;
  const rest = await list(admin, { type: 'test.*', after: first.sequence, limit: 3 });
  expect(idsIn(rest)).toEqual([4, 6, 8]);
  expect(idsIn(await list(admin, { type: 'test.*', after: rest.next_after }))).toEqual([10, 12]);
  const sequences = (await list(admin, { after: 0, limit: 100 })).events;
  expect(sequences.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
    sequences.map((_: unknown, i: number) => i + 1),
  );
});

test('events are found by object and by time', async () => {
  const { admin } = await world();
  const all = (await list(admin, { type: 'test.*' })).events;
  expect(idsIn(await list(admin, { object: 'test:8' }))).toEqual([8]);
  expect(idsIn(await list(admin, { object: 'other:8' }))).toEqual([]);
  const at = all[0].timestamp as string;
  const later = new Date(Date.parse(at) + 1).toISOString();
  expect(idsIn(await list(admin, { type: 'test.*', from: at }))).toHaveLength(6);
  expect(idsIn(await list(admin, { type: 'test.*', to: at }))).toEqual([]);
  expect(idsIn(await list(admin, { type: 'test.*', from: at, to: later }))).toHaveLength(6);
  expect(idsIn(await list(admin, { from: later }))).toEqual([]);
});

test('a place that is no longer kept is said to be gone, with where to go on', async () => {
  const { admin } = await world();
  const [, { data }] = await h.call('GET /events', { as: admin, query: { after: 0, limit: 3 } });
  await run(h.db, 'alter table events.log disable trigger log_only_grows', []);
  await run(h.db, 'delete from events.log where client_id = $1 and seq <= $2', [
    ...[admin.client_id, data.events[1].sequence],
  ]);
  await run(h.db, 'alter table events.log enable trigger log_only_grows', []);
  const [status, { error }] = await h.call('GET /events', { as: admin, query: { after: 0 } });
  expect([status, error]).toMatchObject([410, { code: 'EVENTS_EXPIRED', oldest: 3, after: 2 }]);
  expect((await list(admin, { after: 2 })).events[0].sequence).toBe(3);
});

test.each([
  [{ type: 'weather.changed' }, 'There is no type of event weather.changed'],
  [{ type: 'Payment' }, 'type'],
  [{ object: 'payment' }, 'object'],
  [{ after: 1_000_000 }, 'There is no event 1000000 yet'],
  [{ after: 1, before: 5 }, 'not both'],
  [{ limit: 101 }, 'limit'],
  [{ from: 'then' }, 'from'],
])('what cannot be meant is refused: %j', async (query, said) => {
  const as = await h.user({ role: 'admin' });
  const [status, { error }] = await h.call('GET /events', { as, query });
  expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(JSON.stringify(error)).toContain(said);
});

test('the catalogue says what there is, with examples that its schemas allow', async () => {
  const [status, { data }] = await h.call('GET /event-types');
  expect(status).toBe(200);
  const names = data.event_types.map(({ type }: { type: string }) => type);
  expect(names).toEqual([...names].sort());
  expect(names).toContain('payment.succeeded');
});
