import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import { endAtHost } from '#test/bank-host.ts';
import { batchMaker } from '#test/batches.ts';
import { type Body, harness } from '#test/harness.ts';
import { addBankRecipient, sumsByAsset } from '#test/withdrawals.ts';
import { sharesOfQuote } from './quoted.ts';

/** Payments in another currency than the wallet's, by one quote for all of them. */
const h = await harness({ mock: false });
await h.drain();

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

async function quoted(to_amount = '30', to_currency: 'SGD' | 'IDR' = 'SGD') {
  const user = await batchMaker(h, 'USD', 1_000_000n);
  const recipient_id = (await addBankRecipient(h, user.as, to_currency))['recipient_id'] as string;
  const lines = (...amounts: string[]) => amounts.map((amount) => ({ recipient_id, amount }));
  const quote = async (amount = to_amount): Promise<Body> => {
    const body = { from_currency: 'USD', to_currency, to_amount: amount, valid_for: '1h' };
    const [status, { data }] = await h.call('POST /fx/quotes', { as: user.as, body });
    expect(status).toBe(201);
    return data;
  };
  return { user, recipient_id, lines, quote, first: await quote() };
}

const promised = async (quote_id: string): Promise<boolean | undefined> => {
  const text = 'select is_promised from quotes where quote_id = $1';
  const uuid = uuidOfObjectId('qte', quote_id);
  return (await run<{ is_promised: boolean }>(h.db, text, [uuid]))[0]?.is_promised;
};

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** Has the bank do that with each of them, and the service learn of it. */
async function ended(ids: readonly string[], ...acts: ('complete' | 'reject')[]): Promise<void> {
  for (const [n, id] of ids.entries()) await endAtHost(h, id, acts[n] ?? 'complete', 'AC01');
  await h.advance(11 * 60);
  await h.drain();
}

test('a batch by a quote pays exactly what its lines name, out of exactly what the quote sells', async () => {
  const { user, lines, first } = await quoted('30');
  const { quote_id } = first;
  const [status, { data: draft }] = await user.draft(lines('10', '19.99', '0.01'), { quote_id });
  expect([
    status,
    draft.errors,
    draft.total,
    draft.currency,
    draft.received,
    draft.quote_id,
  ]).toEqual([
    ...[201, [], first['from_amount'], 'USD', { amount: '30.00', currency: 'SGD' }, quote_id],
  ]);
  const items = await user.items(draft.batch_id);
  expect(items.map(({ received }) => received.amount)).toEqual(['10.00', '19.99', '0.01']);
  const leaves = items.reduce((sum, { amount }) => sum + cents(amount), 0n);
  expect(leaves).toBe(cents(first['from_amount']));
  const [, { data: submitted }] = await user.submit(draft);
  expect(codeOf(await user.approve(submitted))).toEqual([200, undefined]);
  await h.drain();
  expect(await promised(quote_id)).toBe(true);
  const ids = items.map(({ item_id }) => String(item_id));
  await ended(ids);
  expect(await user.read(draft.batch_id)).toMatchObject({
    status: 'COMPLETED',
    completed_count: 3,
  });
  expect(await promised(quote_id)).toBe(false);
  const left = 1_000_000n - leaves - 3n * 50n;
  expect(await user.balance()).toEqual({
    balance: `${left / 100n}.${String(left % 100n).padStart(2, '0')}`,
    held: '0.00',
  });
  expect(await sumsByAsset(h)).toEqual([]);
});

test('what fails of it is free in the wallet’s currency, and is not tried again at the old rate', async () => {
  const { user, lines, first } = await quoted('30');
  const { quote_id } = first;
  const batch = await user.approved(lines('10', '20'), { quote_id });
  await h.drain();
  const ids = (await user.items(batch)).map(({ item_id }) => String(item_id));
  await ended(ids, 'complete', 'reject');
  const [paid, failed] = await user.items(batch);
  expect([paid?.['status'], failed?.['status'], failed?.['failure'].retryable]).toEqual([
    ...['COMPLETED', 'FAILED', false],
  ]);
  const left = 1_000_000n - cents(paid?.['amount']) - 50n;
  const { balance, held } = await user.balance();
  expect([cents(balance), held]).toEqual([left, '0.00']);
  expect(codeOf(await user.act('retry', batch))).toEqual([409, 'INVALID_STATUS']);
  expect(await promised(quote_id)).toBe(false);
  await endAtHost(h, ids[0] ?? '', 'return', 'AC04');
  await h.advance(61 * 60);
  await h.drain();
  const [back] = await user.items(batch);
  expect(back).toMatchObject({
    status: 'RETURNED',
    returned: { amount: '10.00', currency: 'SGD', reason_code: 'AC04' },
  });
  expect(await sumsByAsset(h)).toEqual([]);
});

test('a quote of another sum, currency or owner is refused before anything is written', async () => {
  const { user, lines, first } = await quoted('30');
  const { quote_id } = first;
  expect(codeOf(await user.draft(lines('10', '10'), { quote_id }))).toEqual([
    409,
    'QUOTE_MISMATCH',
  ]);
  const perItem = await user.draft(lines('30'), { quote_id, funding: 'per_item' });
  expect(codeOf(perItem)).toEqual([400, 'VALIDATION_ERROR']);
  const [, { data: wrong }] = await user.draft(user.lines('30'), { quote_id });
  expect(wrong.errors).toMatchObject([{ line: 1, field: 'recipient' }]);
  const stranger = await batchMaker(h, 'USD', 10_000n);
  expect(codeOf(await stranger.draft(stranger.lines('30'), { quote_id }))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  const [, { data: list }] = await h.call('GET /batches', { as: user.as });
  expect(list.items).toHaveLength(1);
});

test('a quote that has lapsed stops the approval, and another one takes its place', async () => {
  const { user, lines, first, quote } = await quoted('30');
  const [, { data: draft }] = await user.draft(lines('30'), { quote_id: first['quote_id'] });
  const [, { data: submitted }] = await user.submit(draft);
  await h.advance(3601);
  expect(codeOf(await user.approve(submitted))).toEqual([409, 'QUOTE_EXPIRED']);
  expect(await user.balance()).toEqual({ balance: '10000.00', held: '0.00' });
  expect((await user.read(draft.batch_id)).status).toBe('PENDING_APPROVAL');
  const { quote_id } = await quote();
  const [status, { data: again }] = await h.call('PUT /batches/{batch_id}/items', {
    as: user.as,
    params: { batch_id: draft.batch_id },
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { items: lines('30'), quote_id },
  });
  expect([status, again.quote_id, again.status]).toEqual([200, quote_id, 'DRAFT']);
  expect(again.content_hash).not.toBe(draft.content_hash);
  const [, { data: both }] = await user.submit(again);
  expect(codeOf(await user.approve(both))).toEqual([200, undefined]);
});

test('of two batches that name one quote one is paid', async () => {
  const { user, lines, first } = await quoted('30');
  const { quote_id } = first;
  await user.approved(lines('30'), { quote_id });
  const [, { data: second }] = await user.draft(lines('30'), { quote_id });
  const [, { data: submitted }] = await user.submit(second);
  expect(codeOf(await user.approve(submitted))).toEqual([409, 'QUOTE_USED']);
});

test('lines in parts of a rupiah, or of nothing in the wallet’s currency, are listed', async () => {
  const { user, lines, first } = await quoted('300000', 'IDR');
  const { quote_id } = first;
  const [, { data }] = await user.draft(lines('10000.50', '20000'), { quote_id });
  expect(data.errors).toMatchObject([{ line: 1, field: 'amount' }]);
});

test('shares of a quote come to all that it sells, whatever its lines are', () => {
  const share = sharesOfQuote({ quote_id: '', currency: 'SGD', sells: 1001n, buys: 7n, fee: 3n });
  const all = [1n, 2n, 1n, 3n].map(share);
  expect(all.reduce((sum, { amount }) => sum + amount, 0n)).toBe(1001n);
  expect(all.reduce((sum, { fee }) => sum + fee, 0n)).toBe(3n);
});
