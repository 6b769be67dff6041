import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { traceHour } from '#providers/card-network/port.ts';
import { cardUser, houseBalance, networkBalance, SILENT, whenAllHaveAsked } from '#test/cards.ts';
import { type Harness, harness } from '#test/harness.ts';
import { sent } from '#test/statements.ts';
import { createNumbering } from './trace-store.ts';

const many = <T>(length: number, make: (i: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));

/** Marks that many numbers of this and of the next hour as handed out. */
async function given(h: Harness, count: number): Promise<void> {
  for (const ahead of [0, 3_600_000])
    await run(h.db, 'insert into card_numbers (hour, given) values ($1, $2)', [
      traceHour(new Date(h.clock.now().getTime() + ahead)),
      count,
    ]);
}

/** Every tenth of the next numbers, in this hour or the next, is taken by an earlier version. */
async function taken(h: Harness, user_id: number): Promise<void> {
  for (const ahead of [0, 3_600_000])
    await run(
      h.db,
      `insert into card_transactions (reference_id, type, wallet_id, user_id, client_id, card_last4,
         currency, amount, platform_fee, net_amount, state, status, failure, simulated, rrn, traced_at)
       select 'OLD-' || translate($1 || lpad(n::text, 6, '0'), '0123456789', 'ABCDEFGHIJ'), 'TOPUP', w.wallet_id,
         w.user_id, u.client_id, '1111', 'USD', 100, 3, 97, 'FAILED', 'FAILED', 'DECLINED', true,
         $1 || lpad(n::text, 6, '0'), now()
       from fiat_wallets w join users u using (user_id), generate_series(10, 2000, 10) n
       where w.user_id = $2 and w.currency = 'USD'`,
      [traceHour(new Date(h.clock.now().getTime() + ahead)), user_id],
    );
}

test('a taken number costs its own payment another try, and no other of the batch', async () => {
  const h = await harness();
  const user = await cardUser(h, await h.user());
  await user.topUp(1);
  await taken(h, user.as.user_id);
  sent.length = 0;
  const answers = await whenAllHaveAsked(h, 32, () =>
    Promise.all(many(32, (i) => user.topUp(100 + i))),
  );
  expect(answers.map(([status]) => status)).toEqual(Array(32).fill(200));
  const inserts = sent.filter((text) => /^insert into "?card_transactions"? /.test(text));
  // The first alone, the others together, and once more for a taken number.
  expect(inserts.length).toBeGreaterThan(1);
  expect(inserts.length).toBeLessThanOrEqual(6);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test.each([
  ['mock', true],
  ['live', false],
])('in %s mode numbers beyond a million an hour are of another terminal', async (_, mock) => {
  const h = await harness({ mock });
  const user = await cardUser(h, await h.user());
  await given(h, 999_998);
  // The answer about the last one gets lost, so that it is looked up.
  for (const [amount, card] of [[1], [2], [3], [4, SILENT]] as const) {
    const [status, { data }] = await user.topUp(amount, card);
    expect([status, data?.status]).toEqual([200, 'SUCCESS_RECEIVED']);
  }
  const stored = await run(
    h.db,
    'select right(rrn, 6) as number, terminal, state from card_transactions order by id',
    [],
  );
  expect(stored).toEqual([
    { number: '999998', terminal: 1, state: 'SETTLED' },
    { number: '999999', terminal: 1, state: 'SETTLED' },
    { number: '000000', terminal: 2, state: 'SETTLED' },
    { number: '000001', terminal: 2, state: 'SETTLED' },
  ]);
  if (!mock) expect(await networkBalance(h, 'USD')).toBe(10_00n);
  expect(await houseBalance(h, 'card-settlement', 'USD')).toBe(-10_00n);
});

test('processes that number the same hour never hand out a number twice', async () => {
  const h = await harness();
  const [one, other] = [createNumbering(h.db), createNumbering(h.db)];
  const [now, later] = [new Date('2026-11-20T10:59:59Z'), new Date('2026-11-20T11:00:00Z')];
  const traces = await Promise.all(
    many(2000, (i) => (i % 2 === 0 ? one : other)(i % 7 === 0 ? later : now)),
  );
  expect(new Set(traces.map(({ rrn, terminal }) => `${rrn} ${terminal}`)).size).toBe(2000);
  for (const { rrn, at } of traces) expect(rrn.slice(0, 6)).toBe(traceHour(at));
});
