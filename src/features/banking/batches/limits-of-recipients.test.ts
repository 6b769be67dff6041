import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { HOST_PAYEES } from '#test/bank-host.ts';
import { batchMaker } from '#test/batches.ts';
import { type Body, harness } from '#test/harness.ts';
import { clientWithPolicies } from '#test/policies.ts';

const h = await harness();
const { client_id, publish } = await clientWithPolicies(h);
const user = await batchMaker(h, 'USD', 100_000n, await h.user({ client_id }));
const [first, second] = [
  (await user.addRecipient())['recipient_id'] as string,
  (await user.addRecipient())['recipient_id'] as string,
];
const perDay = { per: 'recipient', window: '1d' };
const amounts = await publish({
  applies_to: ['batch', 'withdrawal', 'transfer'],
  then: { limit: { amount: '10.00', currency: 'USD', ...perDay } },
});

const line = (recipient_id: string, amount: string) => ({ recipient_id, amount });
const submitted = async (items: readonly object[]): Promise<[number, Body]> => {
  const [, { data: draft }] = await user.draft(items);
  expect(draft.errors).toEqual([]);
  return user.submit(draft);
};
const number = `${HOST_PAYEES.USD.accountNumber.slice(0, -5)}99871`;
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const REFUSED = [400, 'LIMIT_EXCEEDED'];

const sums = (): Promise<{ subject: string; amount: bigint; count: number }[]> =>
  run(
    h.db,
    `select subject, amount, count from policy_sums
      where tally = 'policy:' || (select policy_id from policies where name = 'A rule' order by serial limit 1)
        and amount <> 0 order by subject collate "C"`,
    [],
  );

test('a limit by recipient counts each payment of a batch by whom it pays', async () => {
  const [status, { data: batch }] = await submitted([
    line(first, '4.00'),
    line(first, '5.00'),
    line(second, '9.00'),
  ]);
  expect([status, batch.status]).toEqual([200, 'PENDING_APPROVAL']);
  const expected = [first, second]
    .sort()
    .map((id) => [`recipient:${id}`, 900n, id === first ? 2 : 1]);
  expect((await sums()).map(({ subject, amount, count }) => [subject, amount, count])).toEqual(
    expected,
  );
  const refused = await submitted([line(second, '1.00'), line(first, '1.01')]);
  expect(codeOf(refused)).toEqual(REFUSED);
  expect(refused[1].error.details).toMatchObject({ limit_id: amounts.policy_id, used: '9.00' });
  expect(codeOf(await user.withdraw('1.01', { recipient_id: first }))).toEqual(REFUSED);
  // What is rejected is free again, for each of them.
  expect((await user.reject(batch))[0]).toBe(200);
  expect(await sums()).toEqual([]);
  expect((await submitted([line(second, '1.00'), line(first, '1.01')]))[0]).toBe(200);
});

test('a wallet counts as its owner, and an account that is written out as its recipient', async () => {
  const { wallet_id, person } = await user.otherWallet();
  const wallet = { kind: 'wallet', name: 'Budi', details: { wallet_id } };
  expect((await submitted([{ recipient: wallet, amount: '8.00' }]))[0]).toBe(200);
  const transfer = await h.call('POST /wallets/fiat/transfers', {
    as: user.as,
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { from_wallet_id: user.wallet_id, to: { user_id: person.user_id }, amount: '2.01' },
  });
  expect(codeOf(transfer as [number, Body])).toEqual(REFUSED);
  const { bankCode: bank_code, accountName: name } = HOST_PAYEES.USD;
  const account = {
    kind: 'bank',
    name,
    currency: 'USD',
    details: { bank_code, account_number: number },
  };
  const written = [{ recipient: { ...account, country: 'US' }, amount: '3.00' }];
  expect((await submitted(written))[0]).toBe(200);
  const known = await submitted([...written, ...written, ...written]);
  expect(codeOf(known)).toEqual(REFUSED);
  const [, { data: kept }] = await h.call('POST /recipients', { as: user.as, body: account });
  expect((await submitted(written))[0]).toBe(200);
  expect(codeOf(await user.withdraw('7.01', { recipient_id: kept.recipient_id }))).toEqual(REFUSED);
});

test('of twenty batches at once no recipient is paid more than the limit', async () => {
  const { recipient_id } = await user.addRecipient();
  const drafts = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const pair = [line(recipient_id, '1.00'), line(second, '0.01'), line(recipient_id, '1.00')];
      return (await user.draft(pair))[1].data;
    }),
  );
  const all = await Promise.all(drafts.map((draft) => user.submit(draft)));
  expect(all.filter(([status]) => status === 200)).toHaveLength(5);
});
