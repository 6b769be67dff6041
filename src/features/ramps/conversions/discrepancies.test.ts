import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { createRecords } from '#sandbox/records.ts';
import { arrive, behave, converting } from '#test/conversions.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { payoutState, redemption } from '#test/payouts.ts';

/** A provider that reports another sum than we ordered is not believed, and a person sees that at once. */
const h = await harness({ mock: false, config: { JWT_TTL: '100000000' } });
const records = createRecords(h.db);
await h.drain();

async function listed(id: string): Promise<Body[]> {
  const [, { data }] = await h.call('GET /desk/work', { as: await h.operator() });
  const found = data.discrepancies.filter((one: Body) => one.id === id);
  if (found.length > 0) expect(data.needs_person).toBe(true);
  return found;
}
const announced = (id: string) =>
  run(
    h.db,
    `select from events.log where type = 'work.stalled' and object_id = $1
     union all select from events.outbox where type = 'work.stalled' and object_id = $1`,
    [`discrepancy:${id}`],
  );
const step = async (path: 'execute' | 'poll-job' | 'execute-trade', job_id: number) =>
  h.call(`POST /exchange/conversion/${path}/{job_id}`, {
    as: await h.operator(),
    params: { job_id },
  });
async function later() {
  await h.advance(2 * 3600);
  await h.drain();
}
async function started() {
  const user = await converting(h);
  const [, { data }] = await user.start(200_000);
  await step('execute', data.job_id);
  return { user, job_id: data.job_id as number, reference: data.reference_id as string };
}

test('a pay-out of another sum is a discrepancy until the gateway reports ours', async () => {
  const { reference } = await redemption(h);
  const setAmount = (change: string) =>
    run(
      h.db,
      `update sandbox.records set data = jsonb_set(data, '{amount}',
         to_jsonb((data ->> 'amount')::numeric ${change}))
       where provider = 'gateway' and kind = 'payout' and id = $1`,
      [reference],
    );
  await setAmount('+ 1');
  await gatewayOf(h).end(reference, 'complete');
  await later();
  expect(await payoutState(h, reference)).toBe('SENT');
  const [one] = await listed(reference);
  expect(one).toMatchObject({ cause: 'ANOTHER_SUM', kind: 'payout', currency: 'IDR' });
  expect(Number(one?.theirs) - Number(one?.ours)).toBe(1);
  await later();
  expect(await listed(reference)).toEqual([one]);
  expect(await announced(`payout:${reference}`)).toHaveLength(1);
  await setAmount('- 1');
  await later();
  expect(await payoutState(h, reference)).toBe('PAID');
  expect(await listed(reference)).toEqual([]);
});

test('a deposit of another sum is a discrepancy until the whole sum arrives', async () => {
  const { user, job_id, reference } = await started();
  const at = h.clock.now().getTime();
  const deposit = { id: `${job_id}`, at, note: reference, amount: '100' };
  await records.insert('exchange', 'deposit', deposit.id, deposit);
  for (let n = 0; n < 3; n += 1) await step('poll-job', job_id);
  const shown = { cause: 'ANOTHER_SUM', kind: 'exchange-deposit', currency: 'IDR' };
  expect(await listed(reference)).toMatchObject([
    { ...shown, ours: '200000.00', theirs: '100.00' },
  ]);
  expect(await announced(`exchange-deposit:${reference}`)).toHaveLength(1);
  await records.update('exchange', 'deposit', deposit.id, () => ({ ...deposit, note: '' }));
  await arrive(h, reference);
  await step('poll-job', job_id);
  expect((await user.status(job_id)).status).toBe('TRADING');
  expect(await listed(reference)).toEqual([]);
});

test('a withdrawal of another sum is a discrepancy until the exchange reports ours', async () => {
  const { user, job_id, reference } = await started();
  await arrive(h, reference);
  await step('poll-job', job_id);
  await behave(h, { withdrawals: 'hold' });
  await step('execute-trade', job_id);
  const [row] = await run<{ reference: string }>(
    h.db,
    'select reference from conversion_withdrawals where job_id = $1',
    [job_id],
  );
  const id = row?.reference ?? '';
  const setFee = (change: string) =>
    run(
      h.db,
      `update sandbox.records set data = jsonb_set(data, '{fee}',
         to_jsonb(((data ->> 'fee')::numeric ${change})::text))
       where provider = 'exchange' and kind = 'withdrawal' and data ->> 'clientId' = $1`,
      [id],
    );
  await setFee('+ 0.5');
  await h.sandbox('DELETE', '/exchange/behaviour');
  await later();
  expect((await user.status(job_id)).status).toBe('WITHDRAWING');
  const [one] = await listed(id);
  expect(one).toMatchObject({ kind: 'conversion-withdrawal', currency: 'USDC' });
  expect(Number(one?.theirs) - Number(one?.ours)).toBeCloseTo(0.5);
  await setFee('- 0.5');
  await later();
  expect((await user.status(job_id)).status).toBe('COMPLETED');
  expect(await listed(id)).toEqual([]);
});
