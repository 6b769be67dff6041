import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { cardDisputes } from '#test/card-disputes.ts';
import { type Body, harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';

const h = await harness();
const c = cardDisputes(h);
const DAY_S = 86_400;

const debts = async ({ account_id }: { account_id: number }): Promise<bigint> => {
  const rows = await run<{ owed: bigint }>(
    h.db,
    'select owed from ledger.debts where account_id = $1',
    [account_id],
  );
  return rows.reduce((sum, { owed }) => sum + owed, 0n);
};
const payment = async (of: Parameters<typeof c.paid>[0]): Promise<Body> => (await c.paid(of))[0];

test('a small dispute is credited at its submission, and keeps the credit where it is won', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx } = await c.bought(siti, 40);
  const issuing = await c.house('issuing');
  const [status, { data }] = await c.dispute(siti, ctx, { amount: '30.00' });
  expect([status, data.status, data.provisional_credit]).toEqual([201, 'DRAFT', null]);
  expect(data).toMatchObject({
    amount: '30.00',
    transaction_id: ctx,
    substatus: 'waiting_for_person',
  });
  expect(await payment(siti)).toMatchObject({ disputed: true, status: 'SETTLED', net: '40.00' });
  const [, submitted] = await c.act(siti, 'submit', data.dispute_id);
  expect(submitted.data).toMatchObject({
    status: 'SUBMITTED',
    provisional_credit: { amount: '30.00', taken_back_at: null },
  });
  expect(await c.balance(siti)).toBe('90.00 0.00');
  expect(await c.read(siti, data.dispute_id)).toMatchObject({
    status: 'SUBMITTED',
    network_events: [{ type: 'CHARGEBACK_NO_CREDIT', amount: '30.00' }],
  });
  await c.news(data.dispute_id, 'won');
  expect(await c.read(siti, data.dispute_id)).toMatchObject({
    status: 'WON',
    provisional_credit: { amount: '30.00', taken_back_at: null },
  });
  expect(await c.balance(siti)).toBe('90.00 0.00');
  expect((await c.house('issuing')) - issuing).toBe(-3000n);
  const [open, posted] = await c.credited();
  expect(posted).toBe(open);
  const after = await payment(siti);
  expect(after).toMatchObject({ disputed: false, net: '40.00' });
  expect(after.elements.map(({ type }: Body) => type)).toContain('chargeback');
  expect(await c.sums()).toEqual([]);
});

test('a large dispute is credited once the network has it', async () => {
  const siti = await c.cardHolder('900.00');
  const { ctx } = await c.bought(siti, 500.01);
  const [, { data }] = await c.dispute(siti, ctx);
  await h.sandbox('POST', '/faults', { provider: 'issuing', kind: 'maintenance', times: 3 });
  const [, submitted] = await c.act(siti, 'submit', data.dispute_id);
  expect(submitted.data).toMatchObject({ status: 'SUBMITTED', provisional_credit: null });
  expect(await c.balance(siti)).toBe('399.99 0.00');
  for (let n = 0; n < 4; n += 1) {
    await h.advance(3600);
    await h.drain();
  }
  await logInAgain(h, siti);
  expect(await c.read(siti, data.dispute_id)).toMatchObject({
    provisional_credit: { amount: '500.01' },
  });
  expect(await c.balance(siti)).toBe('900.00 0.00');
});

test('a lost dispute takes the credit back, and what is missing is owed', async () => {
  const siti = await c.cardHolder('50.00');
  const id = await c.submitted(siti, 50);
  expect(await c.balance(siti)).toBe('50.00 0.00');
  await c.bought(siti, 35);
  await c.news(id, 'lost');
  expect(await c.read(siti, id)).toMatchObject({
    status: 'LOST',
    failure: { code: 'NETWORK_DECIDED' },
    provisional_credit: { amount: '50.00', taken_back_at: expect.any(String) },
  });
  expect([await c.balance(siti), await debts(siti)]).toEqual(['0.00 0.00', 3500n]);
  const [open, posted] = await c.credited();
  expect(posted).toBe(open);
  expect(await c.sums()).toEqual([]);
});

test('the shop’s answer is contradicted in time, with evidence, and the network decides', async () => {
  const siti = await c.cardHolder('100.00');
  const claim = await c.file(siti, '%PDF-1.7 receipt');
  const id = await c.submitted(siti, 20, { evidence: [claim] });
  await c.news(id, 'representment');
  const asked = await c.read(siti, id);
  expect(asked).toMatchObject({ status: 'PENDING_RESPONSE', substatus: 'waiting_for_person' });
  const days = (Date.parse(asked.respond_by) - h.clock.now().getTime()) / (DAY_S * 1000);
  expect(Math.round(days)).toBe(30);
  expect((await payment(siti)).elements.map(({ type }: Body) => type)).toContain('representment');
  const proof = await c.file(siti, '%PDF-1.7 letters');
  const [status, { data }] = await c.act(siti, 'respond', id, {
    response: 'It was another parcel',
    evidence: [proof],
  });
  expect([status, data.status, data.response]).toEqual([
    200,
    'PREARBITRATION',
    'It was another parcel',
  ]);
  const documents = await h.db
    .selectFrom('sandbox.records')
    .select('data')
    .where('kind', '=', 'case-document')
    .execute();
  const names = documents.map(({ data }) => (data as Body).document_name);
  expect(names).toEqual(expect.arrayContaining([`${claim}.pdf`, `${proof}.pdf`]));
  await c.news(id, 'arbitration');
  expect((await c.read(siti, id)).status).toBe('PREARBITRATION');
  await c.news(id, 'won');
  expect((await c.read(siti, id)).status).toBe('WON');
  const params = { id: claim };
  expect((await h.call('DELETE /files/{id}', { as: siti, params }))[1].error.code).toBe(
    'FILE_IN_USE',
  );
});

test('without a response in time it is lost; what the network decides for its holder counts all the same', async () => {
  const siti = await c.cardHolder('100.00');
  const id = await c.submitted(siti, 25);
  await c.news(id, 'representment');
  await h.advance(30 * DAY_S + 600);
  await h.drain();
  await logInAgain(h, siti);
  expect(await c.read(siti, id)).toMatchObject({
    status: 'LOST',
    failure: { code: 'RESPONSE_MISSED' },
  });
  expect(await c.balance(siti)).toBe('75.00 0.00');
  expect((await c.act(siti, 'respond', id, { response: 'Late' }))[0]).toBe(409);
  await c.news(id, 'won');
  expect(await c.read(siti, id)).toMatchObject({
    status: 'WON',
    failure: null,
    provisional_credit: { taken_back_at: null },
  });
  const [open, posted] = await c.credited();
  expect([await c.balance(siti), posted]).toEqual(['100.00 0.00', open]);
});

test('a draft and a dispute at the network can be given up; the credit goes back', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx } = await c.bought(siti, 10);
  const [, { data }] = await c.dispute(siti, ctx);
  expect((await c.act(siti, 'withdraw', data.dispute_id))[1].data.status).toBe('WITHDRAWN');
  const [again, second] = await c.dispute(siti, ctx);
  expect(again).toBe(201);
  await c.act(siti, 'submit', second.data.dispute_id);
  expect(await c.balance(siti)).toBe('100.00 0.00');
  await c.act(siti, 'withdraw', second.data.dispute_id);
  expect(await c.balance(siti)).toBe('90.00 0.00');
  const withdrawn = await c.read(siti, second.data.dispute_id);
  expect(withdrawn.status).toBe('WITHDRAWN');
  expect(withdrawn.network_events.map(({ type }: Body) => type)).toContain('ACCEPT_AND_CLOSE');
  expect((await c.act(siti, 'withdraw', second.data.dispute_id))[0]).toBe(200);
  expect((await payment(siti)).disputed).toBe(false);
});

test('what the processor does not take is rejected, and the credit goes back', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx } = await c.bought(siti, 10);
  const [, { data }] = await c.dispute(siti, ctx);
  // At the processor it is no clearing.
  await run(
    h.db,
    `update card_disputes set transaction_token = (select transaction_token from card_elements e
       where e.payment_id = card_disputes.payment_id and type = 'authorization') where object_id = $1`,
    [data.dispute_id],
  );
  await c.act(siti, 'submit', data.dispute_id);
  expect(await c.read(siti, data.dispute_id)).toMatchObject({
    status: 'REJECTED',
    failure: { code: 'PROCESSOR_REJECTED', provider_code: '400201' },
  });
  expect(await c.balance(siti)).toBe('90.00 0.00');
  const other = await c.submitted(siti, 5);
  await c.news(other, 'rejected');
  expect((await c.read(siti, other)).failure.code).toBe('NETWORK_REJECTED');
  expect(await c.balance(siti)).toBe('85.00 0.00');
});

test('a payment is disputed once at a time, up to what was settled and not given back, within 120 days', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx, transaction } = await c.bought(siti, 40);
  await c.play(siti, 'refund', { amount: 15, transaction: transaction.token });
  expect((await c.dispute(siti, ctx, { amount: '25.01' }))[1].error.details).toMatchObject([
    { field: 'amount' },
  ]);
  const [, { data }] = await c.dispute(siti, ctx);
  expect(data.amount).toBe('25.00');
  const [status, { error }] = await c.dispute(siti, ctx);
  expect([status, error.code, error.details]).toEqual([
    409,
    'CONFLICT',
    { dispute_id: data.dispute_id },
  ]);
  const held = await c.play(siti, 'authorize', { amount: 1 });
  expect(held.status).toBe(200);
  expect((await c.dispute(siti, (await payment(siti)).transaction_id))[0]).toBe(409);
  const old = await c.bought(siti, 2);
  await h.advance(121 * DAY_S);
  await logInAgain(h, siti);
  const [late, refused] = await c.dispute(siti, old.ctx);
  expect([late, refused.error.code]).toEqual([409, 'INVALID_STATUS']);
});

test('a draft is edited by version; a submitted one is not', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx } = await c.bought(siti, 40);
  const [, { data }] = await c.dispute(siti, ctx);
  const params = { dispute_id: data.dispute_id };
  const edit = (body: object) =>
    h.call('PATCH /cards/disputes/{dispute_id}', { as: siti, params, body });
  const change = { reason: 'FRAUD', amount: '12.00', explanation: 'It was not me', version: 1 };
  expect((await edit(change))[1].data).toMatchObject({
    reason: 'FRAUD',
    amount: '12.00',
    version: 2,
  });
  expect((await edit({ reason: 'DUPLICATE', version: 1 }))[0]).toBe(409);
  await c.act(siti, 'submit', data.dispute_id);
  expect((await edit({ reason: 'DUPLICATE' }))[0]).toBe(409);
  const [again, same] = await c.act(siti, 'submit', data.dispute_id);
  expect([again, same.data.status]).toEqual([200, 'SUBMITTED']);
  expect(await c.balance(siti)).toBe('72.00 0.00');
});

test('evidence is the holder’s own, of its purpose, and what card networks take', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx } = await c.bought(siti, 40);
  const stranger = await h.user();
  const bad = [
    await c.file(stranger, '%PDF-1.7 theirs'),
    await c.file(siti, 'a,b\n1,2\n', { type: 'text/csv' }),
    await c.file(siti, 'a,b\n1,2\n', { type: 'text/csv', purpose: 'batch_import' }),
    await c.file(siti, `%PDF-1.7 ${'x'.repeat(2_000_001)}`),
  ];
  for (const file_id of bad) {
    const [status, { error }] = await c.dispute(siti, ctx, { evidence: [file_id] });
    expect([status, error.details[0].field]).toEqual([400, 'evidence[0]']);
  }
  expect((await payment(siti)).disputed).toBe(false);
});

test('disputes of others do not exist; an admin acts for the people of the own client', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx } = await c.bought(siti, 40);
  const ada = await h.user({ role: 'admin', client_id: siti.client_id });
  const foreign = await h.user({ role: 'admin', client_id: (await h.client()).client_id });
  const [, { data }] = await c.dispute(siti, ctx);
  for (const as of [await h.user(), foreign]) {
    const params = { dispute_id: data.dispute_id };
    expect((await c.dispute(as, ctx))[0]).toBe(404);
    expect((await h.call('GET /cards/disputes/{dispute_id}', { as, params }))[0]).toBe(404);
    expect((await c.act(as, 'submit', data.dispute_id))[0]).toBe(404);
  }
  // Only its holder begins one.
  const other = await c.bought(siti, 1);
  expect((await c.dispute(ada, other.ctx))[0]).toBe(404);
  expect((await c.act(ada, 'submit', data.dispute_id))[0]).toBe(200);
  const [, list] = await h.call('GET /cards/disputes', { as: ada, query: { status: 'SUBMITTED' } });
  expect(list.data.items.map(({ dispute_id }: Body) => dispute_id)).toEqual([data.dispute_id]);
});

test('a disputed payment is DISPUTED in the list of payments', async () => {
  const siti = await c.cardHolder('100.00');
  const id = await c.submitted(siti, 40);
  const list = async () => {
    const query = { rail: 'issued_card' };
    return (await h.call('GET /payments', { as: siti, query }))[1].data.items[0].status;
  };
  expect(await list()).toBe('DISPUTED');
  await c.news(id, 'won');
  expect(await list()).toBe('SUCCEEDED');
});
