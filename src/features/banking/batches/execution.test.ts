import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { transact } from '#kernel/transact.ts';
import { batchMaker } from '#test/batches.ts';
import { type Body, harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';

/** Mock mode: what is tested is the order of payments, not the banks. */
const h = await harness({ config: { BATCH_LANES: '3' } });
await h.drain();

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const DAY_S = 86_400;
const ten = Array.from({ length: 10 }, () => '1');

test('more payments than lanes are all paid, each once', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const id = await user.approved(user.lines(...ten));
  await h.drain();
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED', completed_count: 10 });
  expect(await user.balance()).toEqual({ balance: '85.00', held: '0.00' });
  const { rows } = {
    rows: await run<{ n: number }>(
      h.db,
      `select count(*)::integer as n from payouts p join batch_items i on i.our_reference = p.reference
        where p.state = 'PAID' and i.batch_id = (select batch_id from batches where our_reference = $1)`,
      [id],
    ),
  };
  expect(rows).toEqual([{ n: 10 }]);
});

test('of twenty submissions and twenty approvals at once one counts', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const [, { data: draft }] = await user.draft(user.lines('10', '10'));
  const twenty = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, work));
  const submitted = await twenty(() => user.submit(draft));
  expect(new Set(submitted.map(([status]) => status))).toEqual(new Set([200]));
  const [, { data }] = submitted[0] as [number, Body];
  const approved = await twenty(() => user.approve(data));
  expect(new Set(approved.map(([status]) => status))).toEqual(new Set([200]));
  expect((await user.balance()).held).toBe('21.00');
  await h.drain();
  expect((await user.read(draft.batch_id)).completed_count).toBe(2);
  expect(await user.balance()).toEqual({ balance: '79.00', held: '0.00' });
});

test('of twenty cancellations and the execution at once each payment goes one way', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const id = await user.approved(user.lines(...ten));
  const cancels = Array.from({ length: 20 }, () => user.act('cancel', id));
  await Promise.all([...cancels, h.drain()]);
  await h.advance(61);
  await h.drain();
  const batch = await user.read(id);
  const { completed_count: paid, cancelled_count: called } = batch;
  expect(paid + called).toBe(10);
  expect(['CANCELLED', 'PARTIALLY_COMPLETED', 'COMPLETED']).toContain(batch.status);
  expect(await user.balance()).toEqual({
    balance: (100 - 1.5 * paid).toFixed(2),
    held: '0.00',
  });
});

test('what a frozen wallet did not pay is paid by a retry, under the same references', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const execute_at = new Date(h.clock.ms() + 3_600_000).toISOString();
  const lines = [{ ...user.lines('10')[0], reference: 'wages-1' }];
  const id = await user.approved(lines, { execute_at });
  const freeze = (verb: string) =>
    h.call(`POST /wallets/fiat/{wallet_id}/${verb}`, {
      as: user.ada,
      params: { wallet_id: user.wallet_id },
      body: { reason: 'A test' },
    });
  expect((await freeze('freeze'))[0]).toBe(200);
  await h.advance(3_601);
  await h.drain();
  expect(await user.read(id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'WALLET_FROZEN', retryable: true },
  });
  expect((await user.balance()).held).toBe('0.00');
  expect(codeOf(await user.act('retry', id))[1]).toBe('WALLET_FROZEN');
  await freeze('unfreeze');
  const [, { data }] = await user.act('retry', id);
  expect(data).toMatchObject({ status: 'PROCESSING', failure: null });
  expect((await user.act('retry', id))[0]).toBe(200);
  await h.drain();
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED', completed_count: 1 });
  expect(await user.items(id)).toMatchObject([{ reference: 'wages-1', status: 'COMPLETED' }]);
  expect(codeOf(await user.act('retry', id))).toEqual([409, 'INVALID_STATUS']);
  expect(await user.balance()).toEqual({ balance: '89.50', held: '0.00' });
});

test('a batch that holds each payment by itself waits a day for money', async () => {
  const user = await batchMaker(h, 'USD', 1_700n);
  const id = await user.approved(user.lines('10', '6', '5'), { funding: 'per_item' });
  expect((await user.balance()).held).toBe('0.00');
  await h.drain();
  expect(await user.read(id)).toMatchObject({
    status: 'PROCESSING',
    substatus: 'waiting_for_funds',
    completed_count: 2,
  });
  await user.fund(500n);
  await h.advance(61);
  await h.drain();
  expect((await user.read(id)).completed_count).toBe(2);
  await user.fund(50n);
  await h.advance(61);
  await h.drain();
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED', completed_count: 3 });
  expect(await user.balance()).toEqual({ balance: '0.00', held: '0.00' });
});

test('what lacks money for a day fails, and may be tried again', async () => {
  const user = await batchMaker(h, 'USD', 1_100n);
  const id = await user.approved(user.lines('10', '10'), { funding: 'per_item' });
  await h.drain();
  await h.advance(DAY_S + 120);
  await h.drain();
  await logInAgain(h, user.as);
  expect(await user.read(id)).toMatchObject({
    status: 'PARTIALLY_COMPLETED',
    completed_count: 1,
    failed_count: 1,
  });
  const [failed] = await user.items(id, { status: 'FAILED' });
  expect(failed).toMatchObject({ failure: { code: 'INSUFFICIENT_BALANCE', retryable: true } });
  await user.fund(1_000n);
  expect((await user.act('retry', id))[0]).toBe(200);
  await h.drain();
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED', completed_count: 2 });
});

test('a batch and its payments keep what was submitted, and go onward only', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const id = await user.approved(user.lines('10'));
  await h.drain();
  const change = (table: 'batches' | 'batch_items', set: object) =>
    transact(h.db, (tx) =>
      tx
        .updateTable(table)
        .set(set)
        .where(
          'batch_id',
          '=',
          tx.selectFrom('batches').select('batch_id').where('our_reference', '=', id),
        )
        .execute(),
    );
  const refused = (constraint: string) => ({ constraint });
  await expect(change('batches', { total: 1n })).rejects.toMatchObject(refused('batches_stay'));
  await expect(change('batches', { status: 'DRAFT' })).rejects.toMatchObject(
    refused('batches_onward'),
  );
  await expect(change('batch_items', { amount: 1n })).rejects.toMatchObject(
    refused('batch_items_stay'),
  );
  await expect(change('batch_items', { status: 'HELD' })).rejects.toMatchObject(
    refused('batch_items_onward'),
  );
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});
