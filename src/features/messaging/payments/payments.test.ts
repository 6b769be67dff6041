import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { fillPayments } from '#kernel/payment-list/fill-payments.ts';
import { linkedUser } from '#test/bank-link.ts';
import { emittedEvents } from '#test/emitted-events.ts';
import { type Body, type CallOptions, harness, type Person } from '#test/harness.ts';

const h = await harness({ mock: false });
const admin = await h.user({ role: 'admin', ekyc_status: 'APPROVED' });
const user = await h.user({ client_id: admin.client_id, ekyc_status: 'APPROVED' });
const stranger = await h.user({ role: 'admin' });
await h.call('POST /wallets/fiat', { as: user, body: { currency: 'USD' } });

const CARD = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };
async function topUp(as: Person, body: object = {}): Promise<Body> {
  const given = { ...CARD, amount: '25.00', ...body };
  const [status, answer] = await h.call('POST /card-checkout/card', { as, body: given });
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  return answer.data;
}

async function list(as: Person, query: CallOptions['query'] = {}): Promise<Body> {
  const [status, body] = await h.call('GET /payments', { as, query });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}
const read = (as: Person, payment_id: string) =>
  h.call('GET /payments/{payment_id}', { as, params: { payment_id } });

test('a card top-up is a payment for its user, their admin and the operator, and for no other client', async () => {
  const { reference_id } = await topUp(user, { reference: 'invoice-1', metadata: { order: '1' } });
  const [status, { data }] = await read(user, reference_id);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    rail: 'card',
    kind: 'top_up',
    direction: 'in',
    amount: '25.00',
    currency: 'USD',
    user_id: user.user_id,
    counterparty: { name: null, detail: '**** 1111' },
    reference: 'invoice-1',
    metadata: { order: '1' },
    our_reference: reference_id,
    object: { type: 'payment', id: reference_id },
    refunded_amount: '0.00',
    status: 'SUCCEEDED',
    substatus: null,
    failure: null,
    in_doubt_since: null,
  });
  expect(Object.keys(data.status_times).sort()).toEqual(['pending_at', 'succeeded_at']);
  expect(data.payment_id).toMatch(/^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  for (const as of [admin, await h.operator()])
    expect((await read(as, data.payment_id))[1].data).toMatchObject({
      payment_id: data.payment_id,
    });
  for (const id of [data.payment_id, reference_id]) expect((await read(stranger, id))[0]).toBe(404);
  expect((await list(stranger)).items).toEqual([]);
});

test('a payment is found by every name that somebody may hold', async () => {
  const { reference_id } = await topUp(user, { reference: 'invoice-2' });
  const [, { data }] = await read(user, reference_id);
  const { rrn } = await h.db
    .selectFrom('card_transactions')
    .select('rrn')
    .where('reference_id', '=', reference_id)
    .executeTakeFirstOrThrow();
  for (const query of [
    { reference: 'invoice-2' },
    { reference: reference_id },
    { provider_reference: data.provider_reference },
    { provider_reference: rrn },
    ...[data.payment_id, 'invoice-2', reference_id, data.provider_reference, rrn].map((q) => ({
      q,
    })),
  ]) {
    expect((await list(user, query)).items, JSON.stringify(query)).toEqual([data]);
    expect((await list(stranger, query)).items).toEqual([]);
  }
  expect((await list(admin, { reference: 'no such' })).items).toEqual([]);
});

test('a refund changes its original, and a failed payment says why', async () => {
  const { reference_id } = await topUp(user, { amount: '40.00' });
  const back = { ...CARD, amount: '10.00', reference_id };
  const [status] = await h.call('POST /card-checkout/card/refund', { as: user, body: back });
  expect(status).toBeLessThan(300);
  const [, { data }] = await read(user, reference_id);
  expect(data).toMatchObject({ status: 'PARTIALLY_REFUNDED', refunded_amount: '10.00' });
  await h.call('POST /card-checkout/card', {
    as: user,
    body: { ...CARD, card_number: '4000000000000002', amount: '5.00' },
  });
  const { items } = await list(user, { status: 'FAILED' });
  expect(items).toMatchObject([{ status: 'FAILED', failure: { retryable: expect.any(Boolean) } }]);
  expect((await list(user, { direction: 'out', rail: 'card' })).items).toMatchObject([
    { kind: 'refund', amount: '10.00' },
  ]);
});

test('filters narrow a list, and its pages show each payment once', async () => {
  const one = await h.user({ ekyc_status: 'APPROVED' });
  await h.call('POST /wallets/fiat', { as: one, body: { currency: 'USD' } });
  for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00']) await topUp(one, { amount });
  const all: Body[] = (await list(one)).items;
  expect(all.map(({ amount }) => amount)).toEqual(['5.00', '4.00', '3.00', '2.00', '1.00']);
  for (const limit of [1, 2, 4]) {
    const seen: Body[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Body = await list(one, { limit, rail: 'card', ...(cursor && { cursor }) });
      seen.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all);
  }
  const amounts = async (query: CallOptions['query']) =>
    (await list(one, query)).items.map(({ amount }: Body) => amount);
  expect(await amounts({ amount_from: '2', amount_to: '3.00' })).toEqual(['3.00', '2.00']);
  const { wallet_id, created_at } = all[2] as Body;
  expect(await amounts({ wallet_id, created_from: created_at, created_to: created_at })).toContain(
    '3.00',
  );
  expect(await amounts({ wallet_id: 999_999 })).toEqual([]);
  expect(await amounts({ currency: 'IDR' })).toEqual([]);
  expect(await amounts({ in_doubt: 'true' })).toEqual([]);
  const [status] = await h.call('GET /payments', { as: one, query: { colour: 'red' } });
  expect(status).toBe(400);
});

test('a payment in doubt says since when, and when it is looked up', async () => {
  await h.sandbox('POST', '/faults', { provider: 'card-network', kind: 'drop', times: 1 });
  await h.call('POST /card-checkout/card', { as: user, body: { ...CARD, amount: '7.00' } });
  const { items } = await list(user, { in_doubt: 'true' });
  expect(items).toMatchObject([{ status: 'PENDING', substatus: 'in_doubt', amount: '7.00' }]);
  expect(items[0].in_doubt_since).not.toBeNull();
  // By the service's clock, which a sandbox moves.
  expect(Date.parse(items[0].next_attempt_at)).toBeGreaterThan(h.clock.now().getTime());
  const key = await h.apiKey();
  const rails = async (): Promise<Body> => {
    const [status, { data }] = await h.call('GET /status/rails', { key });
    expect(status).toBe(200);
    return data.items.find(({ rail }: Body) => rail === 'card');
  };
  expect(await rails()).toMatchObject({ status: 'UP', in_doubt: 1 });
  await h.advance(1200);
  await h.drain();
});

test('a payment that takes too long is told of once', async () => {
  const ada = await linkedUser(h);
  await ada.topUp(10);
  await h.advance(3600);
  await h.advance(600);
  await h.drain();
  const told = await emittedEvents(h, 'payment');
  const delayed = told.filter(({ type }) => type === 'payment.delayed');
  const bank = delayed.filter(({ data }) => data.rail === 'bank');
  expect(bank).toHaveLength(1);
  expect(bank[0]?.data).toMatchObject({ status: 'PENDING', amount: '10.00' });
});

test('a timeline tells who did what, without names and contents', async () => {
  const { reference_id } = await topUp(user);
  const timeline = async (as: Person) => {
    const params = { payment_id: reference_id };
    const [status, { data }] = await h.call('GET /payments/{payment_id}/timeline', { as, params });
    expect(status).toBe(200);
    return data.items as Body[];
  };
  const own = await timeline(user);
  expect(own.map(({ by, what }) => `${by} ${what}`)).toEqual(
    expect.arrayContaining(['you payment.pending', 'provider call', 'platform posting']),
  );
  expect(own.find(({ amount }) => amount !== null)?.amount).toBe('24.25');
  const others = (await timeline(admin)).find(({ what }) => what === 'payment.pending');
  expect(others?.by).toBe('another');
  const params = { payment_id: reference_id };
  const [status] = await h.call('GET /payments/{payment_id}/timeline', { as: stranger, params });
  expect(status).toBe(404);
});

test('metadata is merged at any time, by the version that was read', async () => {
  const { reference_id: payment_id } = await topUp(user);
  const patch = (as: Person, body: object) =>
    h.call('PATCH /payments/{payment_id}/metadata', { as, params: { payment_id }, body });
  expect((await patch(user, { metadata: { order: '7', draft: 'x' } }))[1].data).toMatchObject({
    metadata: { order: '7', draft: 'x' },
  });
  expect((await patch(admin, { metadata: { draft: null } }))[1].data.metadata).toEqual({
    order: '7',
  });
  expect((await patch(user, { metadata: { a: 'b' }, version: 1 }))[0]).toBe(409);
  expect((await patch(stranger, { metadata: { a: 'b' } }))[0]).toBe(404);
});

test('a list comes as a table, too', async () => {
  const { body } = await h.send('GET /payments', { as: user, headers: { accept: 'text/csv' } });
  expect(String(body).split('\r\n')[0]).toContain('payment_id,rail,kind,direction,amount');
});

test('older things become payments in batches, and a payment that differs is repaired', async () => {
  const before: Body = (await list(user, { limit: 100 })).items;
  await run(h.db, "delete from payments where kind = 'top_up' and rail = 'card'", []);
  await run(h.db, "update payments set status = 'FAILED' where kind = 'refund'", []);
  const sources = new Map(h.app.features.payments.map(({ source }) => [source.view, source]));
  const all = async () => {
    let written = 0;
    for (const source of sources.values())
      written += (await fillPayments(h.kernel.db, source, 2)).written;
    return written;
  };
  expect(await all()).toBeGreaterThan(3);
  expect(await all()).toBe(0);
  const facts = ({ items }: Body) =>
    items.map(({ payment_id, status, amount, refunded_amount }: Body) => [
      ...[payment_id, status, amount, refunded_amount],
    ]);
  expect(facts(await list(user, { limit: 100 }))).toEqual(facts({ items: before }));
});

/** The other side of a payment: its row is written with that payment, whose events tell of both. */
const OTHER_SIDES = ['invoice_payer', 'wallet_hold_capture', 'wallet_transfer_part'];

test('every object whose events move money is in the list of payments', () => {
  const { payments, events } = h.app.features;
  const silent = payments.filter(({ object }) => events.every((type) => type.object !== object));
  expect([...new Set(silent.map(({ object }) => object))].sort()).toEqual(OTHER_SIDES);
  const views = new Set(payments.map(({ source }) => source.view));
  for (const { object } of payments.filter((one) => !silent.includes(one))) {
    const types = events.filter(
      (type) => type.object === object && type.name !== 'payment.delayed',
    );
    expect(types.length, object).toBeGreaterThan(0);
    for (const { name, payment } of types) expect(views.has(payment?.view ?? ''), name).toBe(true);
  }
});
