import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { type Body, harness } from '#test/harness.ts';
import { cardUuid, issuedCards, processorProof } from '#test/issued-cards.ts';

const h = await harness();
const { cardHolder, play, playQuietly, paid, balance, sums } = issuedCards(h);

const decisionsOf = async (as: { token: string }, transaction_id: string): Promise<Body[]> => {
  const [, { data }] = await h.call('GET /cards/transactions/{transaction_id}/decisions', {
    as,
    params: { transaction_id },
  });
  return data.items;
};

test('a yes holds the amount, and the shop is paid from it', async () => {
  const siti = await cardHolder('100.00');
  const { status, answer, transaction } = await play(siti, 'authorize', { amount: 12.5 });
  expect([status, answer.jit_funding.amount]).toEqual([200, 12.5]);
  expect(await balance(siti)).toBe('100.00 12.50');
  expect((await paid(siti))[0]).toMatchObject({
    status: 'AUTHORIZED',
    authorized: '12.50',
    held: '12.50',
    net: '0.00',
    merchant: { name: 'Toko Kopi', country: 'SG', mcc: '5814' },
  });
  await play(siti, 'settle', { amount: 12.5, transaction: transaction.token });
  expect(await balance(siti)).toBe('87.50 0.00');
  expect((await paid(siti))[0]).toMatchObject({
    status: 'SETTLED',
    settled: '12.50',
    net: '12.50',
  });
  expect(await sums()).toEqual([]);
});

test('a no holds nothing, and says why', async () => {
  const siti = await cardHolder('10.00');
  const { status, answer } = await play(siti, 'authorize', { amount: 10.01 });
  expect([status, answer.jit_funding.decline_reason]).toEqual([402, 'INSUFFICIENT_FUNDS']);
  expect(await balance(siti)).toBe('10.00 0.00');
  const [payment] = await paid(siti);
  expect(payment).toMatchObject({ status: 'DECLINED', failure: { code: 'insufficient_funds' } });
  const [decision] = await decisionsOf(siti, payment.transaction_id);
  expect(decision).toMatchObject({
    status: 'RESPONDED',
    decision: 'decline',
    reason: 'insufficient_funds',
    decided_by: 'rules',
  });
  const stranger = await h.user();
  const statusFor = async (as: { token: string }) => {
    const params = { decision_id: decision.decision_id };
    return (await h.call('GET /cards/decisions/{decision_id}', { as, params }))[0];
  };
  expect([await statusFor(siti), await statusFor(stranger)]).toEqual([200, 404]);
});

test('a card that is not active, or of the wrong code or currency, pays nothing', async () => {
  const siti = await cardHolder('100.00');
  const reason = async (body: object) => {
    await play(siti, 'authorize', { amount: 1, ...body });
    return (await paid(siti))[0]?.failure?.code;
  };
  expect(await reason({ wrong_code: true })).toBe('wrong_cvv');
  const params = { card_id: siti.card_id };
  await h.call('POST /cards/{card_id}/freeze', { as: siti, params, body: {} });
  expect(await reason({})).toBe('card_frozen');
  await h.call('POST /cards/{card_id}/unfreeze', { as: siti, params, body: {} });
  const other = await play(siti, 'authorize', { amount: 1, currency: 'SGD' });
  expect([other.status, (await paid(siti)).length]).toEqual([402, 2]);
  await h.call('POST /cards/{card_id}/close', { as: siti, params, body: { reason: 'USER' } });
  expect(await reason({})).toBe('card_closed');
});

test('the controls of both sides count: places, online, amounts of an interval', async () => {
  const controls = {
    blocked: { mcc: ['7995'], merchant_id: ['bad'] },
    allowed: { country: ['SG', 'ID'] },
    online: false,
    spending_limits: [
      { interval: 'transaction', amount: '50' },
      { interval: 'day', amount: '80' },
      { interval: 'day', amount: '10', mcc: ['5814'] },
    ],
  };
  const siti = await cardHolder('1000.00', { controls });
  const ask = async (amount: number, body: { merchant?: object; online?: boolean } = {}) => {
    const merchant = { mcc: '5411', ...body.merchant };
    const { status } = await play(siti, 'authorize', { amount, ...body, merchant });
    return status === 200 ? 'yes' : (await paid(siti))[0]?.failure?.code;
  };
  expect(await ask(1, { merchant: { mcc: '7995' } })).toBe('mcc_blocked');
  expect(await ask(1, { merchant: { mid: 'bad' } })).toBe('merchant_blocked');
  expect(await ask(1, { merchant: { country_code: 'US' } })).toBe('country_blocked');
  expect(await ask(1, { online: true })).toBe('online_blocked');
  expect(await ask(51)).toBe('limit_transaction');
  expect(await ask(50, { merchant: { country_code: 'ID' } })).toBe('yes');
  expect(await ask(11, { merchant: { mcc: '5814' } })).toBe('limit_day');
  expect(await ask(10, { merchant: { mcc: '5814' } })).toBe('yes');
  expect(await ask(21)).toBe('limit_day');
  expect(await ask(20)).toBe('yes');
  const budi = await cardHolder('100.00');
  const ada = await h.user({ role: 'admin', client_id: budi.client_id });
  const params = { card_id: budi.card_id };
  const body = { spending_limits: [{ interval: 'all_time', amount: '5' }] };
  expect((await h.call('PUT /cards/{card_id}/controls', { as: ada, params, body }))[0]).toBe(200);
  await play(budi, 'authorize', { amount: 6 });
  expect((await paid(budi))[0]?.failure?.code).toBe('limit_all_time');
  expect((await play(budi, 'authorize', { amount: 5 })).status).toBe(200);
});

test('a card for one payment makes one', async () => {
  const siti = await cardHolder('100.00', { usage: 'single' });
  expect((await play(siti, 'verify')).status).toBe(200);
  const { transaction } = await play(siti, 'authorize', { amount: 5 });
  await play(siti, 'authorize', { amount: 5 });
  expect((await paid(siti))[0]?.failure?.code).toBe('single_use_spent');
  const more = { amount: 3, transaction: transaction.token };
  expect((await play(siti, 'increment', more)).status).toBe(200);
  expect(await balance(siti)).toBe('100.00 8.00');
});

test('a part is approved where a part is of use, with its markup', async () => {
  const siti = await cardHolder('10.10');
  const body = { amount: 50, partial: true, merchant_amount: 7000, merchant_currency: 'JPY' };
  const { status, answer } = await play(siti, 'authorize', body);
  expect([status, answer.jit_funding.amount]).toEqual([200, 10]);
  expect(await balance(siti)).toBe('10.10 10.10');
  expect((await paid(siti))[0]).toMatchObject({
    authorized: '10.00',
    held: '10.10',
    merchant_currency: 'JPY',
  });
});

test('a check of the card and a look at the balance hold nothing', async () => {
  const siti = await cardHolder('33.00');
  expect((await play(siti, 'verify')).status).toBe(200);
  const { status, answer } = await play(siti, 'balance');
  expect([status, answer.jit_funding.balances.USD.available_balance]).toEqual([200, 33]);
  expect(await balance(siti)).toBe('33.00 0.00');
  expect((await paid(siti)).map(({ status: is }) => is)).toEqual(['SETTLED']);
});

test('the same question gets the same answer, however often it comes, and holds once', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await playQuietly(siti, 'authorize', { amount: 40 });
  const again = { ...transaction, state: 'PENDING' };
  const ask = (body: object) =>
    h.call('POST /cards/processor/authorizations', {
      as: 'nobody',
      headers: processorProof(),
      body: JSON.stringify(body),
    });
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(again)));
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
  // Another number of the processor, the same of the network.
  expect((await ask({ ...again, token: randomUUID() }))[0]).toBe(200);
  expect(await balance(siti)).toBe('100.00 40.00');
});

test('a crowd of questions at once spends no more than there is', async () => {
  const siti = await cardHolder('10.00');
  const all = await Promise.all(
    Array.from({ length: 12 }, () => playQuietly(siti, 'authorize', { amount: 2 })),
  );
  expect(all.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(await balance(siti)).toBe('10.00 10.00');
});

test('policies of the kind card decide; what cannot wait is a no', async () => {
  const { client_id } = await h.client();
  const [maker, publisher] = [
    await h.user({ role: 'admin', client_id }),
    await h.user({ role: 'admin', client_id }),
  ];
  const policy = async (name: string, body: object) => {
    const [, { data }] = await h.call('POST /policies', {
      as: maker,
      body: { name, applies_to: ['card'], ...body },
    });
    await h.call('POST /policies/{policy_id}/publish', {
      as: publisher,
      params: { policy_id: data.policy_id },
      body: { version: data.version },
    });
  };
  await policy('large', { when: 'amount_minor > 5000', then: { approve: { count: 1 } } });
  await policy('a card a day', { then: { limit: { amount: '60', per: 'card', window: '1d' } } });
  const siti = await cardHolder('500.00', {}, { client_id });
  expect((await play(siti, 'authorize', { amount: 51 })).status).toBe(402);
  expect((await paid(siti))[0].failure.code).toBe('policy_denied');
  const { transaction } = await play(siti, 'authorize', { amount: 50 });
  expect((await play(siti, 'authorize', { amount: 11 })).status).toBe(402);
  // What was given up gives its limit back.
  await play(siti, 'reverse', { amount: 50, transaction: transaction.token });
  expect((await play(siti, 'authorize', { amount: 11 })).status).toBe(200);
});

test('a frozen wallet and a stopped owner pay nothing', async () => {
  const siti = await cardHolder('100.00');
  await run(h.db, `update ledger.accounts set status = 'frozen' where account_id = $1`, [
    siti.account_id,
  ]);
  await play(siti, 'authorize', { amount: 1 });
  expect((await paid(siti))[0].failure.code).toBe('wallet_frozen');
  const other = await cardHolder('100.00');
  await run(h.db, `update users set user_status = 'INACTIVE' where user_id = $1`, [other.user_id]);
  expect((await play(other, 'authorize', { amount: 1 })).status).toBe(402);
});

test('a late yes is a no, and leaves nothing held', async () => {
  const siti = await cardHolder('100.00');
  const uuid = cardUuid(siti.card_id);
  const [locked, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const blocking = transact(h.db, async (tx) => {
    await run(tx, 'select from issued_cards where card_id = $1 for update', [uuid]);
    locked.resolve();
    await freed.promise;
  });
  await locked.promise;
  const { status } = await playQuietly(siti, 'authorize', { amount: 20 });
  freed.resolve();
  await blocking;
  expect(status).toBe(402);
  await expect.poll(async () => (await paid(siti))[0]?.failure?.code).toBe('decision_timed_out');
  const [payment] = await paid(siti);
  expect(await decisionsOf(siti, payment.transaction_id)).toMatchObject([{ status: 'TIMED_OUT' }]);
  expect(await balance(siti)).toBe('100.00 0.00');
});

test('a yes that the processor has not used is looked up, and frees what it held', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await playQuietly(siti, 'authorize', { amount: 20 });
  const lost = {
    ...transaction,
    token: randomUUID(),
    network_reference_id: '77',
    state: 'PENDING',
  };
  const [status] = await h.call('POST /cards/processor/authorizations', {
    as: 'nobody',
    headers: processorProof(),
    body: JSON.stringify(lost),
  });
  expect([status, await balance(siti)]).toEqual([200, '100.00 40.00']);
  await h.advance(16 * 60);
  await h.drain();
  expect(await balance(siti)).toBe('100.00 20.00');
  const [payment] = (await paid(siti)).filter(({ status: is }) => is === 'REVERSED');
  expect(await decisionsOf(siti, payment.transaction_id)).toMatchObject([
    { status: 'TIMED_OUT', decision: 'decline' },
  ]);
});

test('nobody but the processor is answered, and what is not understood is a no', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await playQuietly(siti, 'authorize', { amount: 1 });
  const ask = (body: unknown, headers: Record<string, string>) =>
    h.call('POST /cards/processor/authorizations', {
      as: 'nobody',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const fresh = () => ({ ...transaction, token: randomUUID(), network_reference_id: randomUUID() });
  const wrong = { authorization: `Basic ${Buffer.from('archipay:guess').toString('base64')}` };
  expect((await ask(fresh(), wrong))[0]).toBe(401);
  expect((await ask(fresh(), {}))[0]).toBe(401);
  const proof = processorProof();
  const jit = transaction.gpa_order.jit_funding;
  const funded = (funding: object) => ({ gpa_order: { jit_funding: { ...jit, ...funding } } });
  const odd = [
    '{"type":',
    '[]',
    { ...fresh(), amount: -1 },
    { ...fresh(), amount: 0.001, ...funded({ amount: 0.001 }) },
    { ...fresh(), amount: 1e15, ...funded({ amount: 1e15 }) },
    // The funding is for more than the transaction.
    { ...fresh(), ...funded({ amount: 2 }) },
    { ...fresh(), ...funded({ method: 'pgfs.original.credit' }) },
    { ...fresh(), card_token: randomUUID() },
    { ...fresh(), user_token: 'archipay-user-1' },
  ];
  for (const body of odd) expect([body, (await ask(body, proof))[0]]).toEqual([body, 402]);
  expect(await balance(siti)).toBe('100.00 1.00');
});
