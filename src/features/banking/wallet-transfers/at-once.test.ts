import { expect, test } from 'vitest';
import { banking } from '#test/banking.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const { client_id } = await h.client();
const { holder, balance, send, sums } = banking(h);

test('fifty transfers at once never overdraw a wallet', async () => {
  const payer = await holder(client_id, '20.00');
  const payee = await holder(client_id);
  const to = { wallet_id: payee.wallet_id };
  const all = await Promise.all(
    Array.from({ length: 50 }, () => send(payer, { to, amount: '1.00' })),
  );
  expect(all.filter(([status]) => status === 201)).toHaveLength(20);
  const refused = all.filter(([status]) => status !== 201).map(([, { error }]) => error.code);
  expect(new Set(refused)).toEqual(new Set(['INSUFFICIENT_BALANCE']));
  expect([await balance(payer), await balance(payee)]).toEqual(['0.00 0.00', '20.00 0.00']);
});

test('transfers both ways at once lose nothing', async () => {
  const one = await holder(client_id, '10.00');
  const two = await holder(client_id, '10.00');
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      n % 2 === 0
        ? send(one, { to: { wallet_id: two.wallet_id }, amount: '0.50' })
        : send(two, { to: { wallet_id: one.wallet_id }, amount: '0.50' }),
    ),
  );
  expect([await balance(one), await balance(two)]).toEqual(['10.00 0.00', '10.00 0.00']);
  expect(await sums()).toEqual([]);
});

test('a fee comes on top, goes to the platform and is held with the money', async () => {
  const admin = await h.user({ role: 'admin', client_id });
  const rows = [{ rail: 'wallet', currency: 'USD', flat: '0.10', bps: 100 }];
  expect((await h.call('PUT /fees', { as: admin, body: { rows } }))[0]).toBe(200);
  const payer = await holder(client_id, '20.00');
  const payee = await holder(client_id);
  const [, { data }] = await send(payer, { to: { user_id: payee.user_id }, amount: '10.00' });
  expect(data.fee).toBe('0.20');
  expect([await balance(payer), await balance(payee)]).toEqual(['9.80 0.00', '10.00 0.00']);
  await send(payer, { to: { email: 'fee@example.org' }, amount: '5.00' });
  expect(await balance(payer)).toBe('9.80 5.15');
});
