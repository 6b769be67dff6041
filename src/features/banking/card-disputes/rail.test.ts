import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { cardDisputes } from '#test/card-disputes.ts';
import { type Body, harness } from '#test/harness.ts';

/** Won disputes against the processor's book. */
const h = await harness();
const c = cardDisputes(h);
const RAIL = 'issued-card-disputes';
await h.drain();

async function breaks(): Promise<Body[]> {
  for (let n = 0; n < 26; n += 1) {
    await h.advance(3600);
    await h.drain();
  }
  const [status, { data }] = await h.call('GET /reconciliation/breaks', {
    as: await h.operator(),
    query: { rail: RAIL },
  });
  expect(status).toBe(200);
  return data.breaks;
}
const lines = () =>
  run<{ side: string; state: string; units: bigint }>(
    h.db,
    `select side, state, units from reconciliation_lines where rail = $1 order by side, units`,
    [RAIL],
  );

test('what the network gives back is what was won, also where the shop has given back a part', async () => {
  const siti = await c.cardHolder('100.00');
  const won = await c.submitted(siti, 40);
  await c.news(won, 'won');
  const lost = await c.submitted(siti, 20);
  await c.news(lost, 'lost');
  const { transaction, ctx } = await c.bought(siti, 30);
  const [, { data }] = await c.dispute(siti, ctx);
  await c.act(siti, 'submit', data.dispute_id);
  const first = transaction.preceding_related_transaction_token;
  await c.play(siti, 'refund', { amount: 10, transaction: first });
  await c.news(data.dispute_id, 'won');
  expect(await breaks()).toEqual([]);
  expect(await lines()).toEqual(
    ['OURS', 'THEIRS'].flatMap((side) => [
      { side, state: 'SETTLED', units: 3000n },
      { side, state: 'SETTLED', units: 4000n },
    ]),
  );
  const of = `select distinct side, kind, state from reconciliation_lines where rail = 'issued-cards' order by 1, 2`;
  expect(await run(h.db, of, [])).toEqual(
    ['OURS', 'THEIRS'].flatMap((side) =>
      ['refund', 'settlement'].map((kind) => ({ side, kind, state: 'SETTLED' })),
    ),
  );
});

test('a dispute that is won without its money is a break', async () => {
  const siti = await c.cardHolder('100.00');
  const unpaid = await c.submitted(siti, 12);
  await c.news(unpaid, 'won');
  await run(
    h.db,
    `delete from sandbox.records
      where data ->> 'type' like '%chargeback.completed' and data ->> 'amount' = '12'`,
    [],
  );
  const found = await breaks();
  expect(
    found.map(({ rail, cause, our_amount, their_amount }: Body) => [
      ...[rail, cause, our_amount, their_amount],
    ]),
  ).toEqual([[RAIL, 'MISSING_AT_PROVIDER', '12.00', null]]);
});
