import { expect, test } from 'vitest';
import { banking, codeOf, type Holder } from '#test/banking.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { mailTo } from '#test/mails.ts';

const h = await harness();
const { client_id } = await h.client();
const { holder, balance, post, give, confirm, sums } = banking(h);
const ada = await holder(client_id, '0');
const ben = await holder(client_id, '500.00');

const ask = (asker: Holder, body: object): Promise<[number, Body]> =>
  h.call('POST /wallets/fiat/requests', {
    as: asker,
    body: { wallet_id: asker.wallet_id, amount: '12.50', ...body },
  });
const asked = async (asker: Holder, body: object): Promise<string> => {
  const [status, { data, error }] = await ask(asker, body);
  expect([status, error]).toEqual([201, undefined]);
  return data.request_id;
};
const accept = (payer: Holder, request_id: string, body: object = {}) =>
  post('POST /wallets/fiat/requests/{request_id}/accept', payer, {
    params: { request_id },
    body: { from_wallet_id: payer.wallet_id, ...body },
  });
const act = (what: 'decline' | 'cancel', as: Person, request_id: string) =>
  h.call(`POST /wallets/fiat/requests/{request_id}/${what}`, { as, params: { request_id } });
const read = async (as: Person, request_id: string): Promise<[number, Body]> =>
  h.call('GET /wallets/fiat/requests/{request_id}', { as, params: { request_id } });
const list = async (as: Person, query: Record<string, string> = {}): Promise<Body[]> =>
  (await h.call('GET /wallets/fiat/requests', { as, query }))[1].data.items;
const toBen = { to: { user_id: ben.user_id } };

test('who is asked pays once, by a transfer, and both sides see it', async () => {
  const [status, { data }] = await ask(ada, { ...toBen, note: 'Lunch', reference: 'lunch-9' });
  expect(status).toBe(201);
  expect(data).toMatchObject({
    side: 'sent',
    status: 'OPEN',
    substatus: 'waiting_for_person',
    amount: '12.50',
    currency: 'USD',
    reference: 'lunch-9',
    transfer_id: null,
  });
  const id = data.request_id as string;
  expect((await read(ben, id))[1].data).toMatchObject({ side: 'received', note: 'Lunch' });
  const [done, { data: paid }] = await accept(ben, id);
  expect([done, paid.status, paid.side]).toEqual([200, 'ACCEPTED', 'received']);
  expect([await balance(ada), await balance(ben)]).toEqual(['12.50 0.00', '487.50 0.00']);
  const params = { transfer_id: paid.transfer_id };
  for (const as of [ada, ben]) {
    const [, seen] = await h.call('GET /wallets/fiat/transfers/{transfer_id}', { as, params });
    expect(seen.data).toMatchObject({ status: 'COMPLETED', amount: '12.50', note: 'Lunch' });
  }
  expect((await accept(ben, id))[1].data).toEqual(paid);
  expect(await balance(ben)).toBe('487.50 0.00');
});

test('twenty acceptances at once pay once', async () => {
  const before = await balance(ben);
  const id = await asked(ada, { ...toBen, amount: '10.00' });
  const all = await Promise.all(Array.from({ length: 20 }, () => accept(ben, id)));
  expect(all.map(([status]) => status)).toEqual(all.map(() => 200));
  expect(new Set(all.map(([, { data }]) => data.transfer_id)).size).toBe(1);
  expect(before).toBe('487.50 0.00');
  expect(await balance(ben)).toBe('477.50 0.00');
});

test('of an acceptance, a refusal and a withdrawal at once one counts', async () => {
  for (let n = 0; n < 5; n += 1) {
    const id = await asked(ada, { ...toBen, amount: '1.00' });
    const all = await Promise.all([
      accept(ben, id),
      act('decline', ben, id),
      act('cancel', ada, id),
    ]);
    const done = all.filter(([status]) => status === 200);
    expect(done).toHaveLength(1);
    expect(all.filter(([status]) => status === 409)).toHaveLength(2);
    expect((await read(ada, id))[1].data.status).toBe(done[0]?.[1].data.status);
  }
  expect(await sums()).toEqual([]);
});

test('only who is asked answers, and only who asks takes it back', async () => {
  const id = await asked(ada, toBen);
  const stranger = await holder(client_id, '50.00');
  expect(codeOf(await read(stranger, id))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await accept(stranger, id))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await accept(ada, id))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await act('decline', ada, id))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await act('cancel', ben, id))).toEqual([404, 'NOT_FOUND']);
  const admin = await h.user({ client_id, role: 'admin' });
  expect((await read(admin, id))[1].data.side).toBe('sent');
  const elsewhere = await h.user({ client_id: (await h.client()).client_id, role: 'admin' });
  expect(codeOf(await read(elsewhere, id))).toEqual([404, 'NOT_FOUND']);
  expect((await act('decline', ben, id))[1].data.status).toBe('DECLINED');
  expect((await act('decline', ben, id))[0]).toBe(200);
  const late = await accept(ben, id);
  expect(codeOf(late)).toEqual([409, 'INVALID_STATUS']);
  expect(late[1].error.details).toEqual({ status: 'DECLINED', allowed: ['OPEN'] });
  const other = await asked(ada, toBen);
  expect((await act('cancel', ada, other))[1].data.status).toBe('CANCELLED');
  expect((await act('cancel', ada, other))[0]).toBe(200);
});

test('a request to an address of nobody is mailed, and is its owner’s once they prove it', async () => {
  const id = await asked(ada, { to: { email: 'Dewi@Example.org' }, note: 'Secret words' });
  const mail = await mailTo(h, 'dewi@example.org', /asked for/);
  expect(mail.text).toContain('USD 12.50');
  expect(mail.text).not.toContain('Secret words');
  const dewi = await h.user({ client_id, email: 'dewi@example.org' });
  const payer = { ...dewi, ...(await give(dewi.user_id, '20.00')) };
  expect(await list(dewi)).toEqual([]);
  expect(codeOf(await accept(payer, id))).toEqual([404, 'NOT_FOUND']);
  await confirm(dewi);
  expect((await list(dewi, { side: 'received' })).map(({ request_id }) => request_id)).toEqual([
    id,
  ]);
  expect((await accept(payer, id))[1].data).toMatchObject({ status: 'ACCEPTED', side: 'received' });
  expect((await read(ada, id))[1].data.to.display_name).toBe(`${[...dewi.username][0]}•••`);
  const outside = await h.user({
    client_id: (await h.client()).client_id,
    email: 'eka@example.org',
  });
  await confirm(outside);
  const foreign = await asked(ada, { to: { email: 'eka@example.org' } });
  expect(codeOf(await read(outside, foreign))).toEqual([404, 'NOT_FOUND']);
  expect(await list(outside)).toEqual([]);
});

test('what is not answered in time expires, and is not paid any more', async () => {
  const early = await asked(ada, { ...toBen, expires_in_s: 3600 });
  const later = await asked(ada, { ...toBen, expires_in_s: 7200 });
  await h.advance(3601);
  await logInAgain(h, ben);
  expect((await accept(ben, early))[1].error.details.status).toBe('EXPIRED');
  await h.drain();
  await h.advance(60);
  await h.drain();
  await logInAgain(h, ada);
  const all = await list(ada, { side: 'sent', status: 'EXPIRED' });
  expect(all.map(({ request_id }) => request_id)).toEqual([early]);
  expect((await read(ada, later))[1].data.status).toBe('OPEN');
});

test('a payment that is refused leaves the request open', async () => {
  const poor = await holder(client_id, '1.00');
  const id = await asked(ada, { to: { wallet_id: poor.wallet_id } });
  expect(codeOf(await accept(poor, id))).toEqual([400, 'INSUFFICIENT_BALANCE']);
  const rupiah = await give(poor.user_id, '500000', 'IDR');
  expect(codeOf(await accept({ ...poor, ...rupiah }, id))).toEqual([400, 'CURRENCY_MISMATCH']);
  expect(codeOf(await accept(poor, id, { from_wallet_id: ben.wallet_id }))[1]).toBe(
    'WALLET_NOT_FOUND',
  );
  const quote = { from_currency: 'IDR', to_currency: 'USD', to_amount: '12.50' };
  const [, { data }] = await h.call('POST /fx/quotes', { as: poor, body: quote });
  const short = { ...quote, to_amount: '12.00' };
  const [, { data: other }] = await h.call('POST /fx/quotes', { as: poor, body: short });
  const wrong = await accept({ ...poor, ...rupiah }, id, { quote_id: other.quote_id });
  expect(codeOf(wrong)).toEqual([409, 'QUOTE_MISMATCH']);
  expect((await read(poor, id))[1].data.status).toBe('OPEN');
  const before = await balance(ada);
  expect((await accept({ ...poor, ...rupiah }, id, { quote_id: data.quote_id }))[0]).toBe(200);
  expect(Number((await balance(ada)).split(' ')[0])).toBeCloseTo(
    Number(before.split(' ')[0]) + 12.5,
  );
  expect(await sums()).toEqual([]);
});

test('wrong amounts, people and times are refused, and a hundred a day are the most', async () => {
  for (const amount of ['-1', '0', '1.001', '1e3', 'x'])
    expect(codeOf(await ask(ada, { ...toBen, amount })), amount).toEqual([400, 'VALIDATION_ERROR']);
  const foreign = await holder((await h.client()).client_id);
  const rupiah = await give(ben.user_id, '0', 'IDR');
  const refusals = [
    [{ to: { user_id: ada.user_id } }, 'SAME_WALLET'],
    [{ to: { wallet_id: rupiah.wallet_id } }, 'CURRENCY_MISMATCH'],
    [{ to: { user_id: foreign.user_id } }, 'USER_NOT_FOUND'],
    [{ ...toBen, wallet_id: ben.wallet_id }, 'WALLET_NOT_FOUND'],
    [{ to: {} }, 'VALIDATION_ERROR'],
    [{ ...toBen, expires_in_s: 60 }, 'VALIDATION_ERROR'],
    [{ ...toBen, note: 'x'.repeat(141) }, 'VALIDATION_ERROR'],
  ] as const;
  for (const [body, code] of refusals) expect(codeOf(await ask(ada, body))[1]).toBe(code);
  const eager = await holder(client_id);
  for (let n = 0; n < 100; n += 20)
    await Promise.all(Array.from({ length: 20 }, () => ask(eager, toBen)));
  const [status, { error }] = await ask(eager, toBen);
  expect([status, error.code, error.details.limit_id]).toEqual([
    429,
    'LIMIT_EXCEEDED',
    'payment_requests',
  ]);
});

test('a policy for requests refuses, and what waits for an approval cannot be asked', async () => {
  const [one, two] = [
    await h.user({ role: 'admin', client_id }),
    await h.user({ role: 'admin', client_id }),
  ];
  for (const [when, then] of [
    ['amount_minor == 7700', { deny: { message: 'Not today' } }],
    ['amount_minor == 8800', { approve: { count: 1 } }],
  ] as const) {
    const body = { name: when, applies_to: ['request'], when, then };
    const [, { data }] = await h.call('POST /policies', { as: one, body });
    const publish = { as: two, params: data, body: { version: 1 } };
    expect((await h.call('POST /policies/{policy_id}/publish', publish))[0]).toBe(200);
  }
  for (const amount of ['77.00', '88.00'])
    expect(codeOf(await ask(ada, { ...toBen, amount }))).toEqual([403, 'POLICY_DENIED']);
  expect((await ask(ada, toBen))[0]).toBe(201);
});
