import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verificationProgress } from '#kernel/ledger/verify-onward.ts';
import { cardUser } from '#test/cards.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
// Schedules are due from their first run on.
await h.drain();

const metric = async (name: string): Promise<string[]> => {
  const text = await h.kernel.metrics.registry.getSingleMetricAsString(name);
  return text.split('\n').filter((line) => line.startsWith(name));
};

test('new postings are verified by the clock, and metrics show time and result', async () => {
  const before = await verificationProgress(h.db);
  await cardUser(h, await h.user()).topUp('10.00');
  await verified();
  const after = await verificationProgress(h.db);
  expect(after.upto).toBeGreaterThan(before.upto);
  await h.advance(3000);
  const [age, ...others] = await metric('archipay_ledger_verified_seconds');
  expect(age).toMatch(/\{pass="new"\} 30\d\d$/);
  expect(others).toEqual([]);
  expect(await metric('archipay_ledger_broken')).toEqual(['archipay_ledger_broken 0']);
});

test('a fault is in the log and in the metrics until a whole pass finds none', async () => {
  await cardUser(h, await h.user()).topUp('10.00');
  await run(h.db, 'alter table ledger.accounts disable trigger user', []);
  await run(h.db, 'update ledger.accounts set moves = moves + 1 where account_id = $1', [
    await newest(),
  ]);
  await run(h.db, 'alter table ledger.accounts enable trigger user', []);
  await verified();
  expect(h.logs.filter((line) => line.includes('The ledger is broken'))).toHaveLength(1);
  expect(await metric('archipay_ledger_broken')).toEqual(['archipay_ledger_broken 1']);
});

/** Until the schedule has seen all: it waits for older transactions of all sessions on the server. */
async function verified(): Promise<void> {
  do {
    await h.advance(600);
    await h.drain();
  } while ((await verificationProgress(h.db)).upto < (await newestTransfer()));
}

async function newestTransfer(): Promise<number> {
  const text = 'select max(transfer_id) as id from ledger.transfers';
  const [row] = await run<{ id: number | null }>(h.db, text, []);
  return row?.id ?? 0;
}

async function newest(): Promise<number> {
  const [row] = await run<{ account_id: number }>(
    h.db,
    'select account_id from ledger.entries order by transfer_id desc, account_id desc limit 1',
    [],
  );
  return row?.account_id ?? 0;
}
