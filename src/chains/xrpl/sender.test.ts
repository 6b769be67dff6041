import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { doneBy, testLedger } from '#test/xrpl.ts';
import { unitsOf } from './currency.ts';

const { sandbox, network, open, fault, restart } = await testLedger();
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
  await fault('drop', 1000);
  const [reference, next] = [randomUUID(), randomUUID()];
  const waiting = issue(5n, reference);
  // All ledgers that could have had it close.
  await heard(() => journalOf(reference));
  sandbox.clock.advance(120_000);
  const outcome = await waiting;
  await sandbox.control('DELETE /faults');
  if (outcome.kind !== 'done') doneBy(await issue(5n, reference));
  const rows = await journalOf(reference);
  expect(rows?.map(({ status }) => status)).toEqual(['EXPIRED', 'VALIDATED']);
  // Its sequence number was used again, or all after it would wait for ever.
  expect(new Set(rows?.map(({ sequence }) => sequence)).size).toBe(1);
  doneBy(await issue(1n, next));
  sandbox.clock.advance(3_700_000);
  expect((await balance()) - had).toBe(6n);
});

test('what a killed process has signed and not submitted keeps no other waiting', async () => {
  const had = await balance();
  const other = open();
  await fault('drop', 1000);
  const reference = randomUUID();
  expect((await issue(3n, reference, other)).kind).toBe('unknown');
  await other.stop();
  await sandbox.control('DELETE /faults');
  doneBy(await issue(4n));
  expect((await balance()) - had).toBe(7n);
});

test('a ledger whose host ends and comes back later has all that it had, and what expired meanwhile', async () => {
  const had = await balance();
  const [before, lost] = [randomUUID(), randomUUID()];
  const paid = doneBy(await issue(2n, before));
  await fault('drop', 1000);
  expect((await issue(3n, lost)).kind).toBe('unknown');
  const during = randomUUID();
  await restart(async () => {
    expect((await issue(5n, during)).kind).toBe('unknown');
    // Longer than the ledgers in which it could still happen.
    sandbox.clock.advance(120_000);
  });
  expect(doneBy(await network.findPayment(before))).toMatchObject({ hash: paid.hash });
  expect(doneBy(await network.findPayment(lost))).toBeUndefined();
  expect(await journalOf(lost)).toMatchObject([{ status: 'EXPIRED' }]);
  expect((await balance()) - had).toBe(2n);
  for (const [reference, units] of [
    [lost, 3n],
    [during, 5n],
  ] as const)
    doneBy(await issue(units, reference));
  expect((await balance()) - had).toBe(10n);
  const rows = (await journal()).filter(({ status }) => status !== 'EXPIRED');
  const used = rows.filter(({ account }) => account === rows.at(-1)?.account);
  const sequences = used.map(({ sequence }) => Number(sequence)).sort((a, b) => a - b);
  // No gap, and none twice: the ledger counted on where it was.
  expect(sequences).toEqual(sequences.map((_, i) => Number(sequences[0]) + i));
});

test('of what ended long ago the outcome is kept, and nothing of what has expired', async () => {
  const reference = randomUUID();
  const paid = doneBy(await issue(6n, reference));
  await sandbox.db
    .updateTable('xrpl_journal')
    .set({ ended_at: new Date(sandbox.clock.now().getTime() - 91 * 86_400_000).toISOString() })
    .where('status', '<>', 'PENDING')
    .execute();
  await network.forgetOld();
  const rows = await journal();
  expect(rows.filter(({ status }) => status === 'EXPIRED')).toEqual([]);
  expect(rows.find((row) => row.reference === reference)).toMatchObject({
    blob: '',
    response: null,
    hash: paid.hash,
  });
  const had = await balance();
  expect(doneBy(await issue(6n, reference)).hash).toBe(paid.hash);
  expect(await balance()).toBe(had);
});

test('what a ledger has as failed is refused, and stays so', async () => {
  const reference = randomUUID();
  const send = () =>
    network.pay({
      reference,
      purpose: 'test',
      from: 'platform' as const,
      units: 10n ** 15n,
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
