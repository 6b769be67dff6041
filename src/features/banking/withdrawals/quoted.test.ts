import { expect, test } from 'vitest';
import { houseBalance } from '#test/cards.ts';
import { type Body, harness } from '#test/harness.ts';
import { addBankRecipient, sumsByAsset, withdrawer } from '#test/withdrawals.ts';

/** Mock mode, where banks pay as they are asked to. */
const h = await harness();
await h.drain();

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

async function quoted(to_currency: 'SGD' | 'IDR', more: object = {}) {
  const user = await withdrawer(h, 'USD', 10_000n);
  const recipient_id = (await addBankRecipient(h, user.as, to_currency)).recipient_id as string;
  const [status, { data }] = await h.call('POST /fx/quotes', {
    as: user.as,
    body: { from_currency: 'USD', to_currency, valid_for: '24h', ...more },
  });
  expect(status).toBe(201);
  const { quote_id, from_amount, to_amount } = data as Body;
  return { user, recipient_id, quote_id, from_amount, to_amount };
}

test('a withdrawal by a quote pays the bank in another currency', async () => {
  const { user, recipient_id, quote_id, to_amount } = await quoted('SGD', { from_amount: '20' });
  const before = await houseBalance(h, 'bank-host', 'SGD');
  const [status, { data }] = await user.withdraw('20', { recipient_id, quote_id });
  expect([status, data.status, data.amount, data.currency, data.fee]).toEqual([
    ...[201, 'COMPLETED', '20.00', 'USD', '0.50'],
  ]);
  expect([data.received, data.quote_id]).toEqual([
    { amount: to_amount, currency: 'SGD' },
    quote_id,
  ]);
  expect(await user.balance()).toEqual({ balance: '79.50', held: '0.00' });
  const paid = (await houseBalance(h, 'bank-host', 'SGD')) - before;
  expect(Number(paid) / 100).toBe(Number(to_amount));
  const again = await user.withdraw('20', { recipient_id, quote_id });
  expect(codeOf(again)).toEqual([409, 'QUOTE_USED']);
  expect(await sumsByAsset(h)).toEqual([]);
});

test('a quote that buys parts of a rupiah does not pay a bank, one of whole rupiah does', async () => {
  const { user, recipient_id, quote_id } = await quoted('IDR', { from_amount: '7.77' });
  const [status, { error }] = await user.withdraw('7.77', { recipient_id, quote_id });
  expect([status, error.details]).toMatchObject([400, [{ field: 'quote_id' }]]);
  const whole = await quoted('IDR', { to_amount: '100000' });
  const { recipient_id: to, quote_id: by } = whole;
  const [, { data }] = await whole.user.withdraw(whole.from_amount, {
    recipient_id: to,
    quote_id: by,
  });
  expect([data.status, data.received]).toEqual([
    'COMPLETED',
    { amount: '100000.00', currency: 'IDR' },
  ]);
  expect(await sumsByAsset(h)).toEqual([]);
});

test('a quote of another currency than the recipient’s is refused', async () => {
  const { user, quote_id } = await quoted('SGD', { from_amount: '20' });
  const wrong = await user.withdraw('20', { quote_id });
  expect(codeOf(wrong)).toEqual([400, 'CURRENCY_MISMATCH']);
  expect(await user.balance()).toEqual({ balance: '100.00', held: '0.00' });
});
