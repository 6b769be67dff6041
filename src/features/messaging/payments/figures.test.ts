import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { foldPaymentDays } from '#kernel/payment-list/payment-days-store.ts';
import { harness, type Person } from '#test/harness.ts';

/** Sums of payments by day, which are kept and not counted. */
const h = await harness({ mock: false });
const CARD = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };

const today = () => h.clock.now().toISOString().slice(0, 10);

async function figures(as: Person, query: Record<string, string | number> = {}) {
  const [status, { data }] = await h.call('GET /payment-figures', { as, query });
  expect(status).toBe(200);
  return data;
}
const topUp = async (as: Person, amount: number, card = CARD.card_number) =>
  (
    await h.call('POST /card-checkout/card', { as, body: { ...CARD, card_number: card, amount } })
  )[1].data;

async function team() {
  const admin = await h.user({ role: 'admin', ekyc_status: 'APPROVED' });
  const user = await h.user({ client_id: admin.client_id, ekyc_status: 'APPROVED' });
  return { admin, user };
}

test('payments of a day are summed by currency and direction, and failures by their code', async () => {
  const { admin, user } = await team();
  await topUp(user, 100);
  await topUp(user, 50.5);
  await topUp(user, 7, '4000000000000002');
  const found = await figures(admin);
  expect(found.days).toEqual([
    {
      day: today(),
      currency: 'USD',
      direction: 'in',
      amount: '150.50',
      succeeded: 2,
      failed: 1,
      cancelled: 0,
      pending: 0,
    },
  ]);
  expect(found.to).toBe(today());
  expect(found.failures).toMatchObject([{ count: 1 }]);
  // Folded they are the same.
  await foldPaymentDays(h.db);
  expect(await figures(admin)).toEqual(found);
});

test('what is refunded later had arrived, and what goes back is a payment of its own', async () => {
  const { admin, user } = await team();
  const { reference_id } = await topUp(user, 40);
  const [status] = await h.call('POST /card-checkout/card/refund', {
    as: user,
    body: { ...CARD, amount: 40, reference_id },
  });
  expect(status).toBe(200);
  await h.drain();
  const { days } = await figures(admin);
  expect(days).toMatchObject([
    { direction: 'in', succeeded: 1, amount: '40.00' },
    { direction: 'out', succeeded: 1, amount: '40.00' },
  ]);
});

test('the figures are those that the list of payments would be counted to', async () => {
  await foldPaymentDays(h.db);
  const [row] = await run<{ wrong: number }>(
    h.db,
    `select count(*)::integer as wrong from (
       select client_id, (created_at at time zone 'UTC')::date as day, currency, direction, payment_outcome(status) as outcome,
         count(*) as n, sum(amount) as units from payments group by 1, 2, 3, 4, 5) p
     full join (
       select client_id, day, currency, direction, outcome, sum(n) as n, sum(units) as units from payment_days
       where client_id <> 0 group by 1, 2, 3, 4, 5 having sum(n) <> 0) d
     using (client_id, day, currency, direction, outcome)
     where p.n is distinct from d.n or p.units is distinct from d.units`,
    [],
  );
  expect(row).toEqual({ wrong: 0 });
});

test('another client’s figures are their own; the operator sees all, or those of one client', async () => {
  const { admin, user } = await team();
  const other = await team();
  await topUp(user, 9);
  await foldPaymentDays(h.db);
  expect((await figures(other.admin)).days).toEqual([]);
  expect((await figures(other.admin, { client_id: admin.client_id })).days).toEqual([]);
  const operator = await h.operator();
  const own = await figures(operator, { client_id: admin.client_id });
  expect(own.days).toMatchObject([{ succeeded: 1, amount: '9.00' }]);
  const [all] = (await figures(operator)).days;
  expect(all.succeeded).toBeGreaterThan(1);
  expect((await h.call('GET /payment-figures', { as: user }))[0]).toBe(403);
});

test.each([
  [{ from: '2026-02-30' }],
  [{ from: '2026-02-02', to: '2026-02-01' }],
  [{ from: '2026-01-01', to: '2026-06-01' }],
])('a span that is none, or too long, is refused: %j', async (query) => {
  const [status, body] = await h.call('GET /payment-figures', { as: await h.operator(), query });
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});
