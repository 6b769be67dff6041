// Long: a chain takes blocks back.

import { beforeEach, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { transact } from '#kernel/transact.ts';
import { testCardano } from '#test/cardano.ts';
import { markBooked } from './port.ts';

/** What the chain takes back: before it counts nothing has happened, and afterwards it is made good. */
const c = await testCardano();
const USDC = 1_000_000n;
const BLOCK_MS = 20_000;

beforeEach(() => c.clock.advance(3_600_000));

const told: (string | undefined)[][] = [];
const patient = c.reopen();
patient.listen(async (_, { was, now }) => void told.push([was, now]));

const order = (reference: string) => ({ reference, kind: 'mint', units: 5n * USDC }) as const;
const rollBack = async (blocks: number) =>
  (await c.control('POST /cardano/rollback', { blocks })).body as { undone: string[] };
async function supply(): Promise<bigint> {
  const held = await patient.supply();
  if (held.kind !== 'done') throw new Error('The ledger is away');
  return held.value;
}
async function booked(reference: string): Promise<string> {
  const sent = await patient.send(order(reference));
  if (sent.kind !== 'done') throw new Error(`${reference}: ${JSON.stringify(sent)}`);
  await transact(c.db, (tx) => markBooked(tx, sent.value.hash));
  return sent.value.hash;
}
const rowOf = async (hash: string) => {
  const [row] = await run<{ state: string; is_final: boolean; booked: boolean }>(
    c.db,
    `select state, is_final, booked_at is not null as booked from cardano_transactions
     where hash = $1`,
    [hash],
  );
  return row;
};

test('a transaction counts once it has its confirmations, and no block earlier', async () => {
  const careful = c.reopen({ confirmations: 3, waitMs: 3000 });
  expect(await careful.send(order('deep'))).toMatchObject({ kind: 'unknown' });
  expect(await c.journalled('deep')).toEqual(['SIGNED']);
  c.clock.advance(BLOCK_MS);
  expect(await careful.send(order('deep'))).toMatchObject({ kind: 'unknown' });
  c.clock.advance(BLOCK_MS);
  await expect.poll(() => careful.send(order('deep'))).toMatchObject({ kind: 'done' });
});

test('what is taken back before it counts is sent again, and is there once', async () => {
  const careful = c.reopen({ confirmations: 3, waitMs: 3000 });
  const before = await supply();
  await careful.send(order('taken back'));
  const { undone } = await rollBack(1);
  expect(undone).toHaveLength(1);
  expect(await supply()).toBe(before);
  c.clock.advance(2 * BLOCK_MS);
  expect(await careful.send(order('taken back'))).toMatchObject({ kind: 'unknown' });
  expect(await supply()).toBe(before + 5n * USDC);
  c.clock.advance(2 * BLOCK_MS);
  const sent = await careful.send(order('taken back'));
  expect(sent).toMatchObject({ kind: 'done', value: { hash: undone[0] } });
  expect(await supply()).toBe(before + 5n * USDC);
});

test('what is taken back after it counted is found, told, and put back', async () => {
  const before = await supply();
  const [first, second] = [await booked('first'), await booked('second')];
  expect((await rollBack(2)).undone).toEqual([second, first]);
  told.length = 0;
  await patient.monitorOpen();
  expect(new Set(told)).toEqual(
    new Set([
      [first, undefined],
      [second, undefined],
    ]),
  );
  expect(await supply()).toBe(before + 10n * USDC);
  await patient.monitorOpen();
  for (const hash of [first, second])
    expect(await rowOf(hash)).toEqual({ state: 'CONFIRMED', is_final: false, booked: true });
  await patient.monitorOpen();
  expect(told).toHaveLength(2);
});

test('what can come into no block any more is made anew, with all that hangs on it', async () => {
  const before = await supply();
  const old = [await booked('lapses'), await booked('hangs on it')];
  c.clock.advance(3_600_000);
  // An hour of blocks, and the two above.
  expect((await rollBack(182)).undone).toEqual([...old].reverse());
  told.length = 0;
  await patient.monitorOpen();
  await patient.monitorOpen();
  const anew = told.filter(([, now]) => now !== undefined);
  expect(anew.map(([was]) => was).sort()).toEqual([...old].sort());
  for (const hash of old)
    expect(await rowOf(hash)).toEqual({ state: 'LAPSED', is_final: false, booked: false });
  for (const [, now = ''] of anew)
    expect(await rowOf(now)).toEqual({ state: 'CONFIRMED', is_final: false, booked: true });
  expect(await supply()).toBe(before + 10n * USDC);
  expect((await verifyLedger(c.db)).broken).toEqual([]);
  expect(await c.journalled('lapses', 'hangs on it')).toEqual([
    ...['CONFIRMED', 'CONFIRMED', 'LAPSED', 'LAPSED'],
  ]);
});

test('what is deep is looked after no more; its spent outputs go at once, it itself in time', async () => {
  const hash = await booked('long ago');
  await booked('spends its change');
  const left = async (table: string) => {
    const [row] = await run<{ n: number }>(c.db, `select count(*)::int as n from ${table}`, []);
    return row?.n;
  };
  c.clock.advance(100 * BLOCK_MS);
  await patient.monitorOpen();
  expect(await rowOf(hash)).toMatchObject({ is_final: true });
  await patient.forgetOld();
  expect(await left('cardano_outputs where spent_by is not null')).toBe(0);
  expect(await rowOf(hash)).toBeDefined();
  c.clock.advance(91 * 24 * 3_600_000);
  await patient.forgetOld();
  expect(await rowOf(hash)).toBeUndefined();
  // What the ledger does not have is kept, since somebody has to look.
  expect(await left("cardano_transactions where booked_at is null and state = 'CONFIRMED'")).toBe(
    2,
  );
  expect(await patient.send(order('goes on'))).toMatchObject({ kind: 'done' });
});
