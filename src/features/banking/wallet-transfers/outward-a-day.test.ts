import { expect, test } from 'vitest';
import { banking, codeOf } from '#test/banking.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const { holder, post, send } = banking(h);
const { client_id } = await h.client();

test('before verification all that goes outward in a day is 500 USD, by whichever operation', async () => {
  const [payer, payee] = [await holder(client_id, '2000.00'), await holder(client_id)];
  const to = { user_id: payee.user_id };
  const refused = await send(payer, { to, amount: '500.01' });
  expect(codeOf(refused)).toEqual([400, 'LIMIT_EXCEEDED']);
  expect(refused[1].error.details).toMatchObject({ limit: '500.00', used: '0.00' });
  expect((await send(payer, { to, amount: '300.00' }))[0]).toBe(201);
  const hold = (amount: string) =>
    post('POST /wallets/fiat/{wallet_id}/holds', payer, {
      params: { wallet_id: payer.wallet_id },
      body: { to: { wallet_id: payee.wallet_id }, amount },
    });
  expect(codeOf(await hold('200.01'))).toEqual([400, 'LIMIT_EXCEEDED']);
  const [status, { data }] = await hold('200.00');
  expect(status, JSON.stringify(data)).toBe(201);
  expect(codeOf(await send(payer, { to, amount: '0.01' }))).toEqual([400, 'LIMIT_EXCEEDED']);
});
