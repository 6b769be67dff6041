import { beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { endAtHost } from '#test/bank-host.ts';
import { houseBalance } from '#test/cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { bankEnd, payoutState } from '#test/payouts.ts';
import { addBankRecipient, withdrawer } from '#test/withdrawals.ts';

/** Against the simulated gateway and bank, which are late, lie and take money back. */
const h = await harness({ mock: false });
await h.drain();
const gateway = gatewayOf(h);
beforeEach(() => gateway.calm());

const polled = async (minutes = 11) => {
  await h.advance(minutes * 60);
  await h.drain();
};
const sound = async () => expect((await verifyLedger(h.db)).broken).toEqual([]);
const idOf = ([, { data }]: [number, Body]): string => data.withdrawal_id;

test('rupiah arrive when the gateway says so, and come back once', async () => {
  const user = await withdrawer(h, 'IDR', 20_000_000n);
  const before = await houseBalance(h, 'gateway', 'IDR');
  const made = await user.withdraw('150000');
  const id = idOf(made);
  expect(made).toMatchObject([
    201,
    { data: { status: 'PROCESSING', substatus: 'waiting_for_provider', in_doubt_since: null } },
  ]);
  expect(await user.balance()).toEqual({ balance: '200000.00', held: '152500.00' });
  await bankEnd(h, id, 'complete');
  await polled();
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED' });
  expect(await user.balance()).toEqual({ balance: '47500.00', held: '0.00' });
  await bankEnd(h, id, 'reverse');
  await polled();
  expect(await payoutState(h, id)).toBe('RETURNED');
  expect(await user.read(id)).toMatchObject({
    status: 'RETURNED',
    failure: null,
    returned: { reason_code: expect.any(String), amount: '150000.00', at: expect.any(String) },
  });
  expect(await user.balance()).toEqual({ balance: '197500.00', held: '0.00' });
  expect(await houseBalance(h, 'gateway', 'IDR')).toBe(before);
  await sound();
});

test('a payout that the gateway refuses later is free again, with its fee', async () => {
  const user = await withdrawer(h, 'IDR', 20_000_000n);
  const id = idOf(await user.withdraw('150000'));
  await bankEnd(h, id, 'fail');
  await polled();
  expect(await user.read(id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'PROVIDER_REJECTED', provider_code: expect.any(String) },
  });
  expect(await user.balance()).toEqual({ balance: '200000.00', held: '0.00' });
  await sound();
});

test('an answer that is lost is in doubt, is looked up, and pays once', async () => {
  const user = await withdrawer(h, 'IDR', 20_000_000n);
  const before = await gateway.balance();
  await gateway.spoil('commit-then-drop');
  await gateway.spoil('error', 3);
  const made = await user.withdraw('150000');
  const id = idOf(made);
  expect(made).toMatchObject([
    201,
    {
      data: {
        status: 'PROCESSING',
        substatus: 'in_doubt',
        in_doubt_since: expect.any(String),
        next_attempt_at: expect.any(String),
      },
    },
  ]);
  await gateway.calm();
  await polled();
  await bankEnd(h, id, 'complete');
  await polled(61);
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED', substatus: null });
  expect((await gateway.balance()) - before).toBe(-15_000_000n);
  expect(await user.balance()).toEqual({ balance: '47500.00', held: '0.00' });
  await sound();
});

test('a payout paid after it was called failed is a claim, and the user keeps the money', async () => {
  const user = await withdrawer(h, 'IDR', 20_000_000n);
  const id = idOf(await user.withdraw('150000'));
  await bankEnd(h, id, 'fail');
  await polled();
  const claims = await houseBalance(h, 'payout-disputed', 'IDR');
  await bankEnd(h, id, 'complete-late');
  await polled(61);
  expect(await user.read(id)).toMatchObject({ status: 'FAILED' });
  expect(await user.balance()).toEqual({ balance: '200000.00', held: '0.00' });
  expect((await houseBalance(h, 'payout-disputed', 'IDR')) - claims).toBe(-15_000_000n);
  await sound();
});

test('dollars go by the bank, which settles, refuses and sends back', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const ids = [];
  for (const amount of ['10', '20', '30']) ids.push(idOf(await user.withdraw(amount)));
  const [settled = '', refused = '', back = ''] = ids;
  expect(await user.read(settled)).toMatchObject({ status: 'PROCESSING' });
  await endAtHost(h, settled, 'complete');
  await endAtHost(h, refused, 'reject', 'AC01');
  await endAtHost(h, back, 'complete');
  await polled();
  expect(await user.read(settled)).toMatchObject({
    status: 'COMPLETED',
    provider_reference: expect.any(String),
  });
  expect(await user.read(refused)).toMatchObject({
    status: 'FAILED',
    failure: { provider_code: 'AC01' },
  });
  await endAtHost(h, back, 'return', 'AC04');
  await polled(61);
  expect(await user.read(back)).toMatchObject({
    status: 'RETURNED',
    returned: { reason_code: 'AC04', amount: '30.00' },
  });
  // 100 less 10 and its fee, less the fee of what came back.
  expect(await user.balance()).toEqual({ balance: '89.00', held: '0.00' });
  await sound();
});

test('what a quote has bought comes back in the currency that it has bought', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const { recipient_id } = await addBankRecipient(h, user.as, 'SGD');
  const [, { data: quote }] = await h.call('POST /fx/quotes', {
    as: user.as,
    body: { from_currency: 'USD', to_currency: 'SGD', from_amount: '20', valid_for: '24h' },
  });
  const { quote_id, to_amount } = quote;
  const id = idOf(await user.withdraw('20', { recipient_id, quote_id }));
  await endAtHost(h, id, 'complete');
  await polled();
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED' });
  await endAtHost(h, id, 'return', 'AC04');
  await polled();
  expect(await user.read(id)).toMatchObject({
    status: 'RETURNED',
    returned: { amount: to_amount, currency: 'SGD' },
  });
  const params = { user_id: user.as.user_id };
  const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as: user.as, params });
  const back = data.wallets.find(({ currency }: Body) => currency === 'SGD');
  expect([back.balance, await user.balance()]).toEqual([
    to_amount,
    { balance: '79.50', held: '0.00' },
  ]);
  await sound();
});
