import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { ADA, ELSEWHERE, testCardano } from '#test/cardano.ts';
import { blockfrost } from './blockfrost.ts';
import { TREASURY_EMPTY } from './signing.ts';

const c = await testCardano();
const USDC = 1_000_000n;
beforeEach(() => c.world.faults.clear());
afterAll(() => expect(c.world.faults.list()).toEqual([]));

const mint = (reference: string, units = 5n * USDC, to?: string) =>
  c.cardano.send({ reference, kind: 'mint', units, to });
const burn = (reference: string, units: bigint) =>
  c.cardano.send({ reference, kind: 'burn', units });
const supply = async () => {
  const told = await c.cardano.supply();
  return told.kind === 'done' ? told.value : told;
};
/** One that has asked for the network's terms already, with a USDC minted. */
async function warm(waitMs: number) {
  const cardano = c.reopen({ waitMs });
  await cardano.send({ reference: randomUUID(), kind: 'mint', units: USDC });
  return cardano;
}
const treasury = async () => (await c.cardano.identity()).treasury;

describe('a transaction', () => {
  test('mints USDC under the platform’s policy, and burns it, at the least fee', async () => {
    const minted = await mint('one', 250n * USDC);
    expect(minted).toMatchObject({ kind: 'done', value: { sent: 0n } });
    expect(await supply()).toBe(250n * USDC);
    const held = await c.cardano.holdings(await treasury());
    expect(held).toMatchObject({ value: { usdc: 250n * USDC } });
    const burnt = await burn('two', 250n * USDC);
    expect(burnt).toMatchObject({ kind: 'done' });
    expect(await supply()).toBe(0n);
    const fees = [minted, burnt].map((sent) => (sent.kind === 'done' ? sent.value.fee : 0n));
    for (const fee of fees) expect(Number(fee)).toBeGreaterThan(160_000);
    for (const fee of fees) expect(Number(fee)).toBeLessThan(200_000);
  });

  test('brings tokens to a user’s address, with the coins that an output must have', async () => {
    const sent = await mint('for a user', 3n * USDC, ELSEWHERE);
    const coins = sent.kind === 'done' ? sent.value.sent : 0n;
    expect(coins).toBeGreaterThan(ADA);
    expect(await c.cardano.holdings(ELSEWHERE)).toEqual({
      kind: 'done',
      // The coins that came along stay with the tokens.
      value: { lovelace: coins, usdc: 3n * USDC, held: { lovelace: coins, usdc: 0n } },
    });
  });

  test('is one for its reference, however often and at once it is asked for', async () => {
    const before = await supply();
    // So long that a machine that stops meanwhile is waited for.
    const cardano = c.reopen({ waitMs: 120_000 });
    const again = { reference: 'again', kind: 'mint', units: 5n * USDC } as const;
    const all = await Promise.all(Array.from({ length: 20 }, () => cardano.send(again)));
    expect(new Set(all.map((sent) => JSON.stringify(sent, text))).size).toBe(1);
    expect(await supply()).toBe((before as bigint) + 5n * USDC);
    await expect(mint('again', 6n * USDC)).rejects.toThrow('was another transaction before');
  });

  test('spends what the one before gives back: twenty at once need no block in between', async () => {
    const before = (await supply()) as bigint;
    const cardano = c.reopen({ waitMs: 120_000 });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        cardano.send({ reference: `at once ${i}`, kind: 'mint', units: 5n * USDC }),
      ),
    );
    expect(all.map(({ kind }) => kind)).toEqual(all.map(() => 'done'));
    expect(await supply()).toBe(before + 100n * USDC);
  });

  test('is refused before anything is signed where the treasury has not got the tokens', async () => {
    const refused = { kind: 'refused', code: TREASURY_EMPTY };
    expect(await burn('too much', 10n ** 15n)).toMatchObject(refused);
    expect(await c.journalled('too much')).toEqual([]);
  });
});

describe('what gets lost', () => {
  test.each(['drop', 'refuse', 'error', 'commit-then-drop'] as const)(
    '%s on the way of one: it happens once all the same',
    async (kind) => {
      const before = (await supply()) as bigint;
      c.world.faults.arm({ provider: 'cardano', kind, times: 1 });
      expect(await mint(`lost by ${kind}`)).toMatchObject({ kind: 'done' });
      expect(await supply()).toBe(before + 5n * USDC);
    },
  );

  test('while the ledger is away its state is unknown, and afterwards it is done once', async () => {
    const before = (await supply()) as bigint;
    const impatient = await warm(100);
    c.world.faults.arm({ provider: 'cardano', kind: 'drop', times: 1000 });
    const order = { reference: 'away', kind: 'mint', units: USDC } as const;
    expect(await impatient.send(order)).toMatchObject({ kind: 'unknown' });
    expect(await c.journalled('away')).toEqual(['SIGNED']);
    c.world.faults.clear();
    expect(await impatient.send(order)).toMatchObject({ kind: 'done' });
    expect(await supply()).toBe(before + 2n * USDC);
  });

  test('what was signed and never heard of is past its last slot: that and what hangs on it lapse', async () => {
    const before = (await supply()) as bigint;
    const impatient = await warm(50);
    c.world.faults.arm({ provider: 'cardano', kind: 'drop', times: 1000 });
    const orders = ['late', 'later'].map(
      (reference) => ({ reference, kind: 'mint', units: USDC }) as const,
    );
    for (const order of orders) await impatient.send(order);
    c.world.faults.clear();
    c.clock.advance(3600_000);
    for (const order of orders) expect(await impatient.send(order)).toMatchObject({ kind: 'done' });
    expect(await supply()).toBe(before + 3n * USDC);
    expect(await c.journalled('late', 'later')).toEqual([
      'CONFIRMED',
      'CONFIRMED',
      'LAPSED',
      'LAPSED',
    ]);
  });

  test('a process that died after it had signed is made up for by those that follow', async () => {
    const before = (await supply()) as bigint;
    const dying = await warm(0);
    c.world.faults.arm({ provider: 'cardano', kind: 'drop', times: 1000 });
    await dying.send({ reference: 'died', kind: 'mint', units: USDC });
    c.world.faults.clear();
    expect(await mint('follows', USDC)).toMatchObject({ kind: 'done' });
    expect(await mint('died', USDC)).toMatchObject({ kind: 'done' });
    expect(await supply()).toBe(before + 3n * USDC);
  });
});

test('the statement tells what was minted and burnt in a window, by hash', async () => {
  c.clock.advance(7200_000);
  const from = c.clock.now();
  c.clock.advance(60_000);
  await mint('stated', 4n * USDC);
  await burn('stated, burnt', 3n * USDC);
  c.clock.advance(60_000);
  const told = await c.cardano.statement({ from, to: c.clock.now() });
  const lines = told.kind === 'done' ? told.value.lines : [];
  expect(lines).toMatchObject([
    { kind: 'mint', units: 4n * USDC, asset: 'USDC' },
    { kind: 'burn', units: -3n * USDC, asset: 'USDC' },
  ]);
  const journalled = await run<{ hash: string }>(
    c.db,
    "select hash from cardano_transactions where reference like 'stated%' order by seq",
    [],
  );
  expect(lines.map(({ reference }) => reference)).toEqual(journalled.map(({ hash }) => hash));
});

test('addresses are taken by their checksum and network', async () => {
  expect(await c.cardano.typedAddress(ELSEWHERE)).toBe(ELSEWHERE);
  const wrong = [
    ELSEWHERE.replace(/.$/, 'q'),
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    'stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn',
    ELSEWHERE.toUpperCase(),
    'addr_test1',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '',
  ];
  for (const text of wrong) expect(await c.cardano.typedAddress(text), text).toBeUndefined();
});

test('a burn is read as a burn, whichever sign the history gives it', async () => {
  const rows = [
    ['burned', '-7'],
    ['burned', '7'],
    ['minted', '7'],
  ].map(([action, amount], i) => ({ tx_hash: `${i}`.repeat(64), action, amount }));
  const server = createServer((_, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const node = blockfrost({ url: () => `http://127.0.0.1:${port}`, projectId: 'x' });
  const told = await node.mintingsOf('asset', 1);
  server.closeAllConnections();
  server.close();
  expect(told).toMatchObject({ value: [{ units: -7n }, { units: -7n }, { units: 7n }] });
});

test('only the project itself is told of the chain, and of what there is', async () => {
  const { assetId } = await c.cardano.identity();
  expect((await c.ask(`/assets/${assetId}/history?order=desc&count=1`)).status).toBe(200);
  expect((await c.ask('/txs/nothing')).status).toBe(404);
  expect((await c.ask('/blocks/latest', { project_id: 'wrong' })).status).toBe(403);
});

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
