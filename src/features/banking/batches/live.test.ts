import { beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { endAtHost } from '#test/bank-host.ts';
import { batchMaker } from '#test/batches.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { bankEnd } from '#test/payouts.ts';

/** Against the simulated gateway and bank, which are late, lie and take money back. */
const h = await harness({ mock: false, config: { BATCH_LANES: '2' } });
await h.drain();
const gateway = gatewayOf(h);
beforeEach(() => gateway.calm());

const polled = async (minutes = 11) => {
  await h.advance(minutes * 60);
  await h.drain();
};
const sound = async () => expect((await verifyLedger(h.db)).broken).toEqual([]);
const idsOf = (items: readonly Body[]): string[] => items.map(({ item_id }) => item_id);

test('what the bank has taken leaves its lane, and all go out although none has arrived yet', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const id = await user.approved(user.lines('1', '2', '3', '4', '5'));
  await h.drain();
  const items = await user.items(id);
  expect(items.map(({ status, substatus }) => [status, substatus])).toEqual(
    items.map(() => ['PROCESSING', 'waiting_for_provider']),
  );
  expect(items.every(({ provider_reference }) => provider_reference !== null)).toBe(true);
  for (const item of idsOf(items)) await endAtHost(h, item, 'complete');
  await polled();
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED', completed_count: 5 });
  expect(await user.balance()).toEqual({ balance: '82.50', held: '0.00' });
  await sound();
});

test('what the bank refuses goes back to the hold, and at the end to the wallet with its fee', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const id = await user.approved(user.lines('10', '20', '30'));
  await h.drain();
  const [arrives = '', refused = '', late = ''] = idsOf(await user.items(id));
  await endAtHost(h, arrives, 'complete');
  await endAtHost(h, refused, 'reject', 'AC01');
  await polled();
  expect(await user.read(id)).toMatchObject({
    status: 'PROCESSING',
    completed_count: 1,
    failed_count: 1,
  });
  expect(await user.balance()).toEqual({ balance: '89.50', held: '51.00' });
  await endAtHost(h, late, 'complete');
  await polled(61);
  expect(await user.read(id)).toMatchObject({
    status: 'PARTIALLY_COMPLETED',
    completed_count: 2,
    completed_total: '40.00',
  });
  expect(await user.balance()).toEqual({ balance: '59.00', held: '0.00' });
  const [failed] = await user.items(id, { status: 'FAILED' });
  expect(failed).toMatchObject({
    failure: { code: 'PROVIDER_REJECTED', provider_code: 'AC01', retryable: false },
  });
  const [status, { error }] = await user.act('retry', id);
  expect([status, error.code]).toEqual([409, 'INVALID_STATUS']);
  await sound();
});

test('a payment that comes back leaves its batch completed, and is credited without its fee', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const id = await user.approved(user.lines('10', '20'));
  await h.drain();
  const [kept = '', back = ''] = idsOf(await user.items(id));
  for (const item of [kept, back]) await endAtHost(h, item, 'complete');
  await polled();
  expect((await user.read(id)).status).toBe('COMPLETED');
  await endAtHost(h, back, 'return', 'AC04');
  await polled(61);
  expect(await user.read(id)).toMatchObject({
    status: 'COMPLETED',
    completed_count: 1,
    returned_count: 1,
  });
  const [returned] = await user.items(id, { status: 'RETURNED' });
  expect(returned).toMatchObject({ returned: { reason_code: 'AC04', amount: '20.00' } });
  expect(await user.balance()).toEqual({ balance: '89.00', held: '0.00' });
  await sound();
});

test('an answer that is lost is in doubt, is looked up, and pays once', async () => {
  const user = await batchMaker(h, 'IDR', 50_000_000n);
  const before = await gateway.balance();
  await gateway.spoil('commit-then-drop');
  await gateway.spoil('error', 3);
  const id = await user.approved(user.lines('150000'));
  await h.drain();
  expect(await user.items(id)).toMatchObject([
    { status: 'PROCESSING', substatus: 'in_doubt', in_doubt_since: expect.any(String) },
  ]);
  await gateway.calm();
  await polled();
  const [item = ''] = idsOf(await user.items(id));
  await bankEnd(h, item, 'complete');
  await polled(61);
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED' });
  expect((await gateway.balance()) - before).toBe(-15_000_000n);
  await sound();
});

test('cancelled on its way, what has begun ends as it ends and the rest is given back', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const id = await user.approved(user.lines('1', '2', '3'), { funding: 'per_item' });
  await h.drain();
  const [, { data }] = await user.act('cancel', id);
  expect(data.status).toBe('PROCESSING');
  for (const item of idsOf(await user.items(id))) await endAtHost(h, item, 'complete');
  await polled();
  expect((await user.read(id)).status).toBe('COMPLETED');
  expect((await user.balance()).held).toBe('0.00');
  await sound();
});
