import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { doneBy, testLedger } from '#test/xrpl.ts';
import { unitsOf } from './currency.ts';

const { sandbox, network, open, fault } = await testLedger();
doneBy(await network.prepare());
beforeEach(() => sandbox.control('DELETE /faults'));

const issue = (units = 1_000_000n, reference: string = randomUUID(), by = network) =>
  by.pay({ reference, purpose: 'test', from: 'issuer', to: 'platform', units });
const journal = () =>
  sandbox.db.selectFrom('xrpl_journal').selectAll().orderBy('journal_id').execute();
const balance = async () => doneBy(await network.balance());

test('the platform’s accounts are set up once, however often they are asked for', async () => {
  const before = await journal();
  expect(before.map(({ purpose }) => purpose)).toEqual(['set up issuer', 'open trust line']);
  const other = open();
  afterAll(() => other.stop());
  expect(doneBy(await other.prepare())).toEqual(doneBy(await network.prepare()));
  expect(await journal()).toHaveLength(before.length);
});

test('twenty payments at once keep their sequence numbers, and so do those of two processes', async () => {
  const other = open();
  afterAll(() => other.stop());
  const had = await balance();
  const paid = await Promise.all(
    Array.from({ length: 20 }, (_, i) => issue(1_000_000n, randomUUID(), i % 2 ? network : other)),
  );
  expect(paid.map(({ kind }) => kind)).toEqual(Array(20).fill('done'));
  expect((await balance()) - had).toBe(20_000_000n);
  const rows = (await journal()).filter(({ purpose }) => purpose === 'test');
  expect(new Set(rows.map(({ sequence }) => sequence)).size).toBe(20);
  expect(rows.every(({ status }) => status === 'VALIDATED')).toBe(true);
});

test('one reference is one payment, also when it is asked for by many at once', async () => {
  const had = await balance();
  const reference = randomUUID();
  const paid = await Promise.all(Array.from({ length: 5 }, () => issue(7n, reference)));
  expect(new Set(paid.map((outcome) => doneBy(outcome).hash)).size).toBe(1);
  expect((await balance()) - had).toBe(7n);
  expect(doneBy(await network.findPayment(reference))).toMatchObject({ delivered: 7n });
});

test.each(['refuse', 'drop', 'error', 'commit-then-drop', 'delay', 'late-callback'])(
  'a server that is told to %s does not keep a payment from being made once',
  async (kind) => {
    const had = await balance();
    await fault(kind, 1, 40);
    const reference = randomUUID();
    const first = await issue(11n, reference);
    // The connection was lost where nothing had been signed, or while it was looked up.
    if (first.kind === 'unknown') doneBy(await issue(11n, reference));
    expect((await balance()) - had).toBe(11n);
    expect(doneBy(await network.findPayment(reference))?.status).toBe('VALIDATED');
  },
);

test('what no ledger has in time certainly never happens, and is signed anew', async () => {
  const had = await balance();
  await fault('late-callback', 1, 3_600_000);
  const [reference, next] = [randomUUID(), randomUUID()];
  const waiting = issue(5n, reference);
  // All ledgers that could have had it close.
  await heard(() => journalOf(reference));
  sandbox.clock.advance(120_000);
  const outcome = await waiting;
  if (outcome.kind !== 'done') doneBy(await issue(5n, reference));
  const rows = await journalOf(reference);
  expect(rows?.map(({ status }) => status)).toEqual(['EXPIRED', 'VALIDATED']);
  // Its sequence number was used again, or all after it would wait for ever.
  expect(new Set(rows?.map(({ sequence }) => sequence)).size).toBe(1);
  doneBy(await issue(1n, next));
  sandbox.clock.advance(3_700_000);
  expect((await balance()) - had).toBe(6n);
});

test('what a ledger has as failed is refused, and stays so', async () => {
  const reference = randomUUID();
  const send = () =>
    network.pay({
      ...{ reference, purpose: 'test', from: 'platform' as const, units: 10n ** 15n },
      to: 'issuer',
    });
  expect(await send()).toMatchObject({ kind: 'refused', code: 'tecPATH_PARTIAL' });
  expect(await send()).toMatchObject({ kind: 'refused', code: 'tecPATH_PARTIAL' });
  expect(await network.findPayment(reference)).toMatchObject({ kind: 'refused' });
});

test('a server that is away leaves nothing signed and nothing guessed', async () => {
  await fault('refuse', 1000);
  const other = open();
  afterAll(() => other.stop());
  const reference = randomUUID();
  expect((await issue(1n, reference, other)).kind).toBe('unknown');
  expect(doneBy(await other.findPayment(reference))).toBeUndefined();
});

test('amounts are read as the ledger writes them', () => {
  expect(['1', '0.000001', '1e-6', '12.5e1', '999999999.999999'].map(unitsOf)).toEqual([
    ...[1_000_000n, 1n, 1n, 125_000_000n, 999_999_999_999_999n],
  ]);
  expect(() => unitsOf('0.0000001')).toThrow();
});

async function journalOf(reference: string) {
  const rows = await journal();
  const own = rows.filter((row) => row.reference === reference);
  return own.length > 0 ? own : undefined;
}

/** Until there is something. */
async function heard<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
  }
}
