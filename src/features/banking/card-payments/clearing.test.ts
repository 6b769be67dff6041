import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { type CardHolder, issuedCards } from '#test/issued-cards.ts';
import { logInAgain } from '#test/log-in-again.ts';

const h = await harness();
const { cardHolder, play, playQuietly, notify, paid, balance, sums, give } = issuedCards(h);

const last = async (of: CardHolder) => (await paid(of))[0];
const owed = async (of: CardHolder): Promise<string> => {
  const rows = await h.db
    .selectFrom('ledger.debts')
    .select('owed')
    .where('account_id', '=', of.account_id)
    .execute();
  return rows.reduce((sum, one) => sum + BigInt(one.owed), 0n).toString();
};

test('parts are settled one after the other, and the last one frees the rest', async () => {
  const siti = await cardHolder('200.00');
  const { transaction: hotel } = await play(siti, 'authorize', { amount: 100 });
  await play(siti, 'increment', { amount: 30, transaction: hotel.token });
  expect(await balance(siti)).toBe('200.00 130.00');
  await play(siti, 'settle', { amount: 60, transaction: hotel.token });
  expect(await last(siti)).toMatchObject({
    status: 'PARTIALLY_SETTLED',
    held: '70.00',
    net: '60.00',
  });
  await play(siti, 'settle', { amount: 20, transaction: hotel.token, final: true });
  expect(await last(siti)).toMatchObject({ status: 'SETTLED', settled: '80.00', held: '0.00' });
  expect(await balance(siti)).toBe('120.00 0.00');
});

test('fuel: one dollar is held, and what was filled is settled and marked for a person', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await play(siti, 'authorize', { amount: 1 });
  await play(siti, 'settle', { amount: 43.2, transaction: transaction.token, final: true });
  expect(await last(siti)).toMatchObject({ status: 'SETTLED', settled: '43.20', flagged: true });
  expect(await balance(siti)).toBe('56.80 0.00');
});

test('a reversal frees all or a part; one that comes late frees nothing twice', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await play(siti, 'authorize', { amount: 50 });
  await play(siti, 'reverse', { amount: 20, transaction: transaction.token });
  expect(await balance(siti)).toBe('100.00 30.00');
  await play(siti, 'settle', { amount: 30, transaction: transaction.token });
  await play(siti, 'reverse', { amount: 30, transaction: transaction.token });
  expect(await balance(siti)).toBe('70.00 0.00');
  expect(await last(siti)).toMatchObject({ status: 'SETTLED', reversed: '50.00', net: '30.00' });
});

test('a hold ends after seven days; a settlement after that is booked all the same', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await play(siti, 'authorize', { amount: 50 });
  await h.advance(7 * 86_400 + 600);
  await h.drain();
  await logInAgain(h, siti);
  expect(await last(siti)).toMatchObject({ status: 'EXPIRED', expired: '50.00', held: '0.00' });
  expect(await balance(siti)).toBe('100.00 0.00');
  await play(siti, 'settle', { amount: 50, transaction: transaction.token });
  expect(await last(siti)).toMatchObject({ status: 'SETTLED', settled: '50.00' });
  expect(await balance(siti)).toBe('50.00 0.00');
});

test('what was sold in another currency has a markup, which a refund gives back in proportion', async () => {
  const siti = await cardHolder('100.00');
  const foreign = { merchant_amount: 6000, merchant_currency: 'JPY' };
  const { transaction } = await play(siti, 'authorize', { amount: 40, ...foreign });
  expect(await balance(siti)).toBe('100.00 40.40');
  const { transaction: settled } = await play(siti, 'settle', {
    amount: 40,
    transaction: transaction.token,
  });
  expect(await balance(siti)).toBe('59.60 0.00');
  await play(siti, 'refund', { amount: 10, transaction: settled.token });
  expect(await last(siti)).toMatchObject({ markup: '0.30', refunded: '10.00', net: '30.30' });
  await play(siti, 'refund', { amount: 30, transaction: settled.token });
  expect(await last(siti)).toMatchObject({ status: 'REFUNDED', markup: '0.00', net: '0.00' });
  expect(await balance(siti)).toBe('100.00 0.00');
});

test('a refund without a purchase, and a settlement without a yes, are payments of their own', async () => {
  const siti = await cardHolder('10.00');
  await play(siti, 'refund', { amount: 5 });
  expect(await last(siti)).toMatchObject({ status: 'REFUNDED', net: '-5.00' });
  await play(siti, 'settle', { amount: 7 });
  expect(await last(siti)).toMatchObject({ status: 'SETTLED', net: '7.00', flagged: false });
  expect(await balance(siti)).toBe('8.00 0.00');
});

test('what was approved without us is booked even where nothing is left, and collected later', async () => {
  const siti = await cardHolder('10.00');
  const { transaction } = await play(siti, 'advice', { amount: 30 });
  expect(await last(siti)).toMatchObject({ status: 'AUTHORIZED', held: '30.00' });
  expect(await balance(siti)).toBe('10.00 10.00');
  await play(siti, 'settle', { amount: 30, transaction: transaction.token });
  expect([await balance(siti), await owed(siti)]).toEqual(['0.00 0.00', '2000']);
  await give(siti.user_id, '50.00');
  // It cannot be spent before that is paid.
  expect((await play(siti, 'authorize', { amount: 31 })).status).toBe(402);
  await h.advance(3600);
  await h.drain();
  expect([await balance(siti), await owed(siti)]).toEqual(['30.00 0.00', '0']);
  expect(await sums()).toEqual([]);
});

test('what the processor decides in our place is a decision, a no as well as a yes', async () => {
  const siti = await cardHolder('10.00');
  const decision = async () => {
    const params = { transaction_id: (await last(siti))?.transaction_id };
    const decisions = 'GET /cards/transactions/{transaction_id}/decisions';
    return (await h.call(decisions, { as: siti, params }))[1].data.items;
  };
  const { transaction } = await play(siti, 'advice', { amount: 30 });
  await notify(transaction.token);
  const yes = { decided_by: 'stand_in', decision: 'approve', amount: '30.00' };
  expect(await decision()).toMatchObject([yes]);
  const declined = await play(siti, 'decline', { amount: 3 });
  await notify(declined.transaction.token);
  const no = { decided_by: 'stand_in', decision: 'decline', reason: 'stand_in_declined' };
  expect(await decision()).toMatchObject([no]);
  expect(await last(siti)).toMatchObject({
    status: 'DECLINED',
    failure: { code: 'stand_in_declined' },
    elements: [{ type: 'decline', amount: '3.00' }],
  });
  expect(await balance(siti)).toBe('10.00 10.00');
});

test('an advice that replaces what was authorised frees the difference, once', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await play(siti, 'authorize', { amount: 60 });
  const less = await play(siti, 'adjust', { amount: 41.5, transaction: transaction.token });
  await notify(less.transaction.token);
  expect(await balance(siti)).toBe('100.00 41.50');
  expect(await last(siti)).toMatchObject({ authorized: '60.00', reversed: '18.50', held: '41.50' });
  await play(siti, 'settle', { amount: 41.5, transaction: transaction.token });
  expect(await last(siti)).toMatchObject({ status: 'SETTLED', net: '41.50', flagged: false });
});

test('messages in any order, twice, come to the same', async () => {
  const siti = await cardHolder('100.00');
  const { transaction: first } = await playQuietly(siti, 'advice', { amount: 40 });
  const { transaction: part } = await playQuietly(siti, 'settle', {
    amount: 15,
    transaction: first.token,
  });
  const { transaction: rest } = await playQuietly(siti, 'settle', {
    amount: 20,
    transaction: first.token,
    final: true,
  });
  const { transaction: back } = await playQuietly(siti, 'refund', {
    amount: 5,
    transaction: rest.token,
  });
  for (const { token } of [back, rest, part, first, part, back, rest]) await notify(token);
  const all = await paid(siti);
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({
    authorized: '40.00',
    settled: '35.00',
    refunded: '5.00',
    held: '0.00',
    net: '30.00',
  });
  expect(await balance(siti)).toBe('70.00 0.00');
});

test('a forged notification moves nothing: the transaction is looked up', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await playQuietly(siti, 'settle', { amount: 9 });
  await h.sandbox('POST', '/faults', { provider: 'issuing', kind: 'bad-signature' });
  await notify(transaction.token);
  expect(await balance(siti)).toBe('100.00 0.00');
  await notify(transaction.token);
  expect(await balance(siti)).toBe('91.00 0.00');
});

test('what a card has paid is in the list of payments', async () => {
  const siti = await cardHolder('100.00');
  const { transaction } = await play(siti, 'authorize', { amount: 12 });
  const list = async () => {
    const query = { rail: 'issued_card' };
    return (await h.call('GET /payments', { as: siti, query }))[1].data.items;
  };
  expect(await list()).toMatchObject([{ status: 'PENDING', amount: '12.00', direction: 'out' }]);
  await play(siti, 'settle', { amount: 12, transaction: transaction.token });
  const [{ object, status }] = await list();
  expect([object.type, status]).toEqual(['payment', 'SUCCEEDED']);
});
