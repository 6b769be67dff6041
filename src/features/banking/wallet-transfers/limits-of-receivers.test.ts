import { expect, test } from 'vitest';
import { banking, codeOf, type Holder } from '#test/banking.ts';
import { harness } from '#test/harness.ts';
import { clientWithPolicies } from '#test/policies.ts';

const h = await harness();
const { holder, send } = banking(h);
const { client_id, publish } = await clientWithPolicies(h);
const [payer, ben, cara, dora] = [
  await holder(client_id, '100.00'),
  await holder(client_id),
  await holder(client_id),
  await holder(client_id),
];
await publish({
  applies_to: ['transfer'],
  then: { limit: { amount: '10.00', currency: 'USD', per: 'recipient', window: '1d' } },
});

const part = (to: Holder, amount: string) => ({ to: { wallet_id: to.wallet_id }, amount });
const split = (...parts: ReturnType<typeof part>[]) => send(payer, { split: parts });

test('a limit by recipient counts what each receiver of a split gets', async () => {
  expect((await split(part(ben, '6.00'), part(cara, '9.00')))[0]).toBe(201);
  expect(codeOf(await split(part(ben, '5.00'), part(dora, '1.00')))).toEqual([
    400,
    'LIMIT_EXCEEDED',
  ]);
  // What is refused has taken nothing of the others' limits.
  expect((await split(part(ben, '4.00'), part(dora, '10.00')))[0]).toBe(201);
  const [status, body] = await send(payer, part(dora, '0.01'));
  expect(codeOf([status, body])).toEqual([400, 'LIMIT_EXCEEDED']);
});

test('of twenty splits at once no receiver gets more than the limit', async () => {
  const [eve, finn] = [await holder(client_id), await holder(client_id)];
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? split(part(eve, '2.00'), part(finn, '0.50'))
        : split(part(finn, '0.50'), part(eve, '2.00')),
    ),
  );
  expect(all.filter(([status]) => status === 201)).toHaveLength(5);
  const refused = all.filter(([status]) => status !== 201).map(codeOf);
  expect(new Set(refused.map(String))).toEqual(new Set(['400,LIMIT_EXCEEDED']));
});
