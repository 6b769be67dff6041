// Long: transactions wait for blocks.

import { beforeEach, expect, test } from 'vitest';
import { testCardano } from '#test/cardano.ts';

/** A network that is busy: what it has accepted may come into a block late, or never. */
const c = await testCardano();
const USDC = 1_000_000n;
const order = (reference: string) => ({ reference, kind: 'mint', units: USDC }) as const;
const hasty = c.reopen({ waitMs: 100 });
const supply = async () => {
  const read = await c.cardano.supply();
  if (read.kind !== 'done') throw new Error('The ledger is away');
  return read.value;
};
const mempool = (settings: object) => c.control('POST /cardano/mempool', settings);

beforeEach(async () => {
  await mempool({ is_held: false });
  await c.control('POST /cardano/parameters', {});
  c.clock.advance(3_600_000);
});

test('a transaction that waits for a block is sent once, and counts when the block is there', async () => {
  await mempool({ is_held: true });
  expect(await hasty.send(order('waits'))).toMatchObject({ kind: 'unknown' });
  expect(await hasty.send(order('spends its change'))).toMatchObject({ kind: 'unknown' });
  const { body } = await c.control('POST /cardano/mempool/forge', {});
  expect(body).toMatchObject({ forged: [expect.anything(), expect.anything()], dropped: [] });
  expect(await c.cardano.send(order('waits'))).toMatchObject({ kind: 'done' });
  expect(await c.cardano.send(order('spends its change'))).toMatchObject({ kind: 'done' });
  expect(await c.journalled('waits')).toEqual(['CONFIRMED']);
});

test('a transaction that the mempool drops is sent again under the same hash', async () => {
  const before = await supply();
  await mempool({ is_held: true });
  await hasty.send(order('dropped'));
  const { body } = await c.control('POST /cardano/mempool/drop', {});
  await mempool({ is_held: false });
  const sent = await c.cardano.send(order('dropped'));
  expect(sent).toMatchObject({ kind: 'done', value: { hash: (body as Drop).dropped[0] } });
  expect(await supply()).toBe(before + USDC);
});
interface Drop {
  readonly dropped: readonly string[];
}

test('a full mempool delays a transaction and loses none', async () => {
  const before = await supply();
  await mempool({ is_held: true, capacity: 0 });
  expect(await hasty.send(order('finds it full'))).toMatchObject({ kind: 'unknown' });
  await mempool({ is_held: false });
  expect(await c.cardano.send(order('finds it full'))).toMatchObject({ kind: 'done' });
  expect(await supply()).toBe(before + USDC);
});

test('a transaction whose fee has become too small lapses, and is signed with the new fee', async () => {
  const before = await supply();
  await mempool({ is_held: true, capacity: 0 });
  await hasty.send(order('fee rises'));
  await c.control('POST /cardano/parameters', { min_fee_a: 88, min_fee_b: 310_762 });
  await mempool({ is_held: false });
  expect(await hasty.send(order('fee rises'))).toMatchObject({ kind: 'unknown' });
  expect(await supply()).toBe(before);
  c.clock.advance(3_600_000);
  const sent = await c.cardano.send(order('fee rises'));
  expect(sent.kind === 'done' && sent.value.fee).toBeGreaterThan(310_762n);
  expect(await c.journalled('fee rises')).toEqual(['CONFIRMED', 'LAPSED']);
  expect(await supply()).toBe(before + USDC);
});

test('blocks that a fork takes back have other hashes, and their transactions wait again', async () => {
  const sent = await c.cardano.send(order('forked'));
  const hash = sent.kind === 'done' ? sent.value.hash : '';
  const blockOf = async () => ((await (await c.ask(`/txs/${hash}`)).json()) as Found).block;
  const block = await blockOf();
  await mempool({ is_held: true });
  await c.control('POST /cardano/rollback', { blocks: 1, to_mempool: true });
  expect((await c.ask(`/txs/${hash}`)).status).toBe(404);
  expect((await c.ask(`/mempool/${hash}`)).status).toBe(200);
  expect((await c.ask(`/blocks/${block}`)).status).toBe(404);
  await c.control('POST /cardano/mempool/forge', {});
  expect(await blockOf()).not.toBe(block);
});
interface Found {
  readonly block: string;
}
