import { expect, test } from 'vitest';
import { away, BOOKS_SQL, booksRail, write } from '#test/books.ts';
import { command } from '#test/command.ts';
import { harness, type Person } from '#test/harness.ts';

let isAway = false;
const h = await harness({
  sql: BOOKS_SQL,
  features: ({ db }) => [
    {
      name: 'books',
      rails: [
        booksRail(db, {
          name: 'books',
          before: async (side) => (isAway && side === 'THEIRS' ? away() : undefined),
        }),
      ],
    },
  ],
});
const operator = await h.operator();
const [one, other] = [await h.user({ role: 'admin' }), await h.user({ role: 'admin' })];

const at = new Date(h.clock.now().getTime() - 3_600_000);
const entry = (line: string, units: bigint, client_id?: number) => ({
  line,
  units,
  at,
  asset: 'USDC' as const,
  ...(client_id === undefined ? {} : { clientId: client_id }),
});
await write(
  h.db,
  'OURS',
  entry('lost', 1_500_000n, one.client_id),
  entry('altered', -20n, other.client_id),
  entry('nobody’s', 7n),
  entry('right', 1n, one.client_id),
);
await write(
  h.db,
  'THEIRS',
  entry('altered', -21n),
  entry('strange', 9n),
  entry('right', 1n),
  entry('right twice', 3n),
);
// Schedules are due from their first run on.
await h.drain();
await h.advance(600);
await h.drain();

const list = async (as: Person, query: Record<string, string | number> = {}) => {
  const [status, body] = await h.call('GET /reconciliation/breaks', { as, query });
  expect(status).toBe(200);
  return body.data;
};
const references = async (as: Person, query: Record<string, string | number> = {}) =>
  (await list(as, query)).breaks.map((row: { reference: string }) => row.reference).sort();

test('the operator sees every break, a client’s admin those of their client', async () => {
  const all = ['altered', 'lost', 'nobody’s', 'right twice', 'strange'];
  expect(await references(operator)).toEqual(all);
  expect(await references(one)).toEqual(['lost']);
  expect(await references(other)).toEqual(['altered']);
  expect((await list(one)).breaks[0]).toEqual({
    break_id: expect.any(Number),
    rail: 'books',
    reference: 'lost',
    kind: 'payment',
    asset: 'USDC',
    cause: 'MISSING_AT_PROVIDER',
    state: 'OPEN',
    our_amount: '1.500000',
    our_time: at.toISOString(),
    their_amount: null,
    their_time: null,
    client_id: one.client_id,
    found_at: expect.any(String),
    resolved_at: null,
    age_seconds: expect.any(Number),
    note: null,
    history: [
      {
        at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        state: 'OPEN',
        cause: 'MISSING_AT_PROVIDER',
      },
    ],
  });
  const user = await h.user({ client_id: one.client_id });
  expect((await h.call('GET /reconciliation/breaks', { as: user }))[0]).toBe(403);
});

test('breaks are found by rail, state, cause and time, page by page', async () => {
  expect(await references(operator, { cause: 'AMOUNT_DIFFERS' })).toEqual(['altered']);
  expect(await references(operator, { state: 'RESOLVED' })).toEqual([]);
  expect(await references(operator, { rail: 'another' })).toEqual([]);
  const now = h.clock.now().toISOString();
  expect(await references(operator, { from: now })).toEqual([]);
  expect(await references(operator, { to: now, rail: 'books' })).toHaveLength(5);
  const first = await list(operator, { limit: 2 });
  expect(first).toMatchObject({ has_more: true, next_before: first.breaks[1].break_id });
  const rest = await list(operator, { limit: 5, before: first.next_before });
  expect(rest).toMatchObject({ has_more: false, next_before: null });
  expect(rest.breaks).toHaveLength(3);
  for (const query of [{ cause: 'WEATHER' }, { state: 'open' }, { rail: 'A' }, { from: 'then' }])
    expect((await h.call('GET /reconciliation/breaks', { as: operator, query }))[0]).toBe(400);
});

const explain = (as: Person, break_id: number, note: unknown = 'Asked the bank') =>
  h.call('POST /reconciliation/breaks/{break_id}/explain', {
    as,
    params: { break_id },
    body: { note },
  });
const idOf = async (reference: string) =>
  (await list(operator)).breaks.find((row: { reference: string }) => row.reference === reference)
    .break_id as number;

test('the operator explains a break, which is audited; another difference reopens it', async () => {
  const break_id = await idOf('altered');
  expect((await explain(other, break_id))[0]).toBe(403);
  expect((await explain(operator, break_id, ' '))[0]).toBe(400);
  expect((await explain(operator, 999_999))[0]).toBe(404);
  const [status, { data }] = await explain(operator, break_id);
  expect([status, data.state, data.note]).toEqual([200, 'EXPLAINED', 'Asked the bank']);
  const [, audit] = await h.call('GET /admins/audit', {
    as: other,
    query: { action: 'RECONCILIATION_EXPLAINED' },
  });
  expect(audit.entries).toMatchObject([
    { actor_user_id: operator.user_id, details: { break_id, reference: 'altered' } },
  ]);
  await h.advance(600);
  await h.drain();
  expect(await references(operator, { state: 'EXPLAINED' })).toEqual(['altered']);
  await write(h.db, 'THEIRS', entry('altered', -22n));
  await h.advance(3600);
  await h.drain();
  const [again] = (await list(other)).breaks;
  expect(again).toMatchObject({ state: 'OPEN', note: 'Asked the bank', their_amount: '-0.000022' });
  expect(again.history.map(({ state }: { state: string }) => state)).toEqual([
    'OPEN',
    'EXPLAINED',
    'OPEN',
  ]);
});

test('a break resolves itself when the other side catches up, and needs no explanation', async () => {
  const break_id = await idOf('lost');
  await write(h.db, 'THEIRS', entry('lost', 1_500_000n));
  await h.advance(3600);
  await h.drain();
  const [row] = (await list(one)).breaks;
  expect(row).toMatchObject({ state: 'RESOLVED', resolved_at: expect.any(String) });
  expect(row.history.at(-1)).toMatchObject({ state: 'RESOLVED', by: 'MATCHED' });
  expect((await explain(operator, break_id))[0]).toBe(404);
});

test('the progress of a rail is answered also while its provider is away', async () => {
  const standing = async (as: Person) =>
    (await list(as)).rails.find(({ rail }: { rail: string }) => rail === 'books');
  const behind = async () => {
    const text = await (await fetch(`${h.kernel.publicUrl()}/metrics`)).text();
    return Number(
      /^archipay_reconciliation_behind_seconds\{rail="books"\} (\d+)$/m.exec(text)?.[1],
    );
  };
  const before = await standing(operator);
  expect(before).toMatchObject({ failing_since: null, failure: null });
  isAway = true;
  await h.advance(7200);
  await h.drain();
  expect(await standing(operator)).toMatchObject({
    compared_until: before.compared_until,
    failing_since: expect.any(String),
    failure: 'THEIRS: ECONNREFUSED',
  });
  expect(await standing(one)).toMatchObject({ failing_since: expect.any(String), failure: null });
  expect(await behind()).toBeGreaterThanOrEqual(7200);
  isAway = false;
  await h.advance(600);
  await h.drain();
  expect(await standing(operator)).toMatchObject({ failing_since: null });
  expect(await behind()).toBeLessThan(600);
});

/** The operator's commands beside the running service. */
async function operatorRuns(script: string, ...words: string[]) {
  const DATABASE_URL = h.kernel.pool.options.connectionString ?? '';
  const SANDBOX_PORT = new URL(h.app.sandboxUrl()).port;
  return command([script, ...words], {
    ...process.env,
    DATABASE_URL,
    DATA_DIR: h.dataDir,
    SANDBOX_PORT,
    LOG_LEVEL: 'silent',
  });
}

test('the commands print the differences, and end with 1', async () => {
  const open = { rail: 'books', cause: 'AMOUNT_DIFFERS', open: 1, oldest_s: expect.any(Number) };
  const jobs = await operatorRuns('scripts/jobs.ts', '--json');
  expect(JSON.parse(jobs.out).breaks).toContainEqual(open);
  expect(jobs.code).toBe(1);
  // The rails of the tests are not the command's; an unused rail is skipped.
  const all = await operatorRuns('scripts/reconcile.ts', '--json');
  const { rails, breaks } = JSON.parse(all.out);
  expect(rails).toEqual([]);
  expect([breaks, all.code]).toEqual([[], 0]);
  const unknown = await operatorRuns('scripts/reconcile.ts', '--rail', 'books');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/^There is no rail books/) });
  const usage = await operatorRuns('scripts/reconcile.ts', '--everything');
  expect(usage).toMatchObject({
    code: 1,
    err: expect.stringContaining('Usage: npm run reconcile'),
  });
});
