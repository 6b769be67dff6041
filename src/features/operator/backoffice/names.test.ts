import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';

/** Names that support is given, and where each leads. */
const h = await harness({ mock: false, config: { REQUEST_LOGS: 'on' } });
const operator = await h.operator();

interface Found {
  readonly people: { user_id: number }[];
  readonly clients: { client_id: number }[];
  readonly names: string[];
  readonly moments: { what: string; type: string; details: object }[];
}

async function timeline(q: string): Promise<Found> {
  const [status, body] = await h.call('GET /desk/timeline', { as: operator, query: { q } });
  expect([q, status]).toEqual([q, 200]);
  return body.data;
}
const kindsIn = ({ moments }: Found) => moments.map(({ what, type }) => `${what} ${type}`);

test('names that people give on the phone lead to the thing', async () => {
  const as = await h.user({ phone: '+628123450099' });
  const card = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };
  const headers = { 'x-request-id': 'read-out-by-a-customer' };
  const body = { ...card, amount: 30 };
  const [, { data }] = await h.call('POST /card-checkout/card', { as, headers, body });
  await h.kernel.events.settle();
  const byApproval = await timeline(data.approval_code);
  expect(byApproval.names).toContain(data.reference_id);
  expect(kindsIn(byApproval)).toContain('event payment.succeeded');
  const client = await h.db
    .selectFrom('clients')
    .select(['client_alias', 'phone'])
    .where('client_id', '=', as.client_id)
    .executeTakeFirstOrThrow();
  for (const name of [client.client_alias.toUpperCase(), client.phone])
    expect((await timeline(name)).clients.map(({ client_id }) => client_id)).toContain(
      as.client_id,
    );
  for (const name of ['+628123450099', '+62 812-345 0099'])
    expect((await timeline(name)).people.map(({ user_id }) => user_id)).toEqual([as.user_id]);
});

test('a request’s id leads to the request, also where it was refused, and to what it made', async () => {
  const as = await h.user();
  const card = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };
  const asked = (id: string, body: object) =>
    h.call('POST /card-checkout/card', { as, headers: { 'x-request-id': id }, body });
  const [, { data }] = await asked('made-something', { ...card, amount: 12 });
  const [refused] = await asked('was-refused', { ...card, amount: -1 });
  expect(refused).toBe(400);
  // The list writes down what is not yet.
  await h.call('GET /request-logs', { as: operator });
  await h.kernel.events.settle();
  const made = await timeline('made-something');
  expect(kindsIn(made)).toEqual(
    expect.arrayContaining(['request POST /card-checkout/card', 'event payment.succeeded']),
  );
  expect(made.names).toContain(data.reference_id);
  expect((await timeline('was-refused')).moments).toMatchObject([
    { what: 'request', details: { status: 400, user_id: as.user_id } },
  ]);
});

test('the reference of a difference leads to it, also where our books have no such payment', async () => {
  const now = h.clock.now().toISOString();
  await run(
    h.db,
    `insert into reconciliation_breaks (rail, reference, kind, asset, cause, side, line, their_line, their_units, their_at,
       found_at, changed_at, history)
     values ('card-network', '633315000000', 'TOPUP', 'USD', 'MISSING_IN_OUR_BOOKS', 'THEIRS', 'l', 'l', 4100, $1, $1, $1, '[]')`,
    [now],
  );
  expect((await timeline('633315000000')).moments).toMatchObject([
    {
      what: 'difference',
      type: 'card-network MISSING_IN_OUR_BOOKS',
      details: { state: 'OPEN', ours: null, theirs: '41.00', asset: 'USD' },
    },
  ]);
});
