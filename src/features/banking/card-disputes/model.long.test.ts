// Long: forty stories of disputes, each of up to eight acts of both sides, heard late, twice and in any order.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import { cardDisputes } from '#test/card-disputes.ts';
import { type Body, harness } from '#test/harness.ts';
import { type CardHolder, processorProof } from '#test/issued-cards.ts';

const h = await harness();
const c = cardDisputes(h);

/** What the shop does beside that. */
const SHOP = ['refund', 'settle', 'increment', 'reverse'] as const;
const NEWS = ['representment', 'prearbitration', 'arbitration', 'won', 'lost', 'rejected'] as const;
type News = (typeof NEWS)[number];
const acts = fc.array(
  fc.record({
    act: fc.constantFrom(
      ...[...NEWS, 'representment' as const, 'respond', 'withdraw', 'spend', 'hear'],
      ...['refund', 'refund', 'settle', 'increment', 'reverse'],
    ),
    cents: fc.integer({ min: 100, max: 9000 }),
    isHeard: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);
const stories = fc.record({
  paid: fc.integer({ min: 200, max: 9000 }),
  disputed: fc.integer({ min: 1, max: 100 }),
  acts,
});
type Story = typeof stories extends fc.Arbitrary<infer S> ? S : never;

const tell = async (dispute_id: string, token: string): Promise<void> => {
  const case_token = uuidOfObjectId('dsp', dispute_id);
  await h.call('POST /cards/processor/events', {
    as: 'nobody',
    headers: processorProof(),
    body: JSON.stringify({ casetransitions: [{ token, case_token }] }),
  });
  await h.drain();
};

/** Plays a story; answers the stages that the network has been through. */
async function play(siti: CardHolder, story: Story): Promise<{ id: string; went: News[] }> {
  const { ctx, transaction } = await c.bought(siti, story.paid / 100);
  const first = transaction.preceding_related_transaction_token;
  const cents = Math.max(1, Math.floor((story.paid * story.disputed) / 100));
  const [, { data }] = await c.dispute(siti, ctx, { amount: (cents / 100).toFixed(2) });
  const id: string = data.dispute_id;
  await c.act(siti, 'submit', id);
  const went: News[] = [];
  const unheard: string[] = [];
  for (const { act, cents: spent, isHeard } of story.acts) {
    if (act === 'respond') await c.act(siti, 'respond', id, { response: 'It is not so' });
    else if (act === 'withdraw') await c.act(siti, 'withdraw', id);
    else if (act === 'spend') await c.play(siti, 'authorize', { amount: spent / 100 });
    else if (SHOP.some((one) => one === act))
      await c.play(siti, act as (typeof SHOP)[number], {
        amount: Math.ceil(spent / 2) / 100,
        transaction: first,
      });
    else if (act === 'hear') for (const token of unheard.toReversed()) await tell(id, token);
    else {
      const done: Body = await c.news(id, act as News, !isHeard).catch(() => undefined);
      if (done === undefined) continue;
      went.push(act as News);
      unheard.push(done.transition.token);
    }
  }
  for (const token of [...unheard.toReversed(), ...unheard]) await tell(id, token);
  return { id, went };
}

const ENDS: Readonly<Partial<Record<News, readonly string[]>>> = {
  won: ['WON'],
  lost: ['LOST', 'WITHDRAWN'],
  rejected: ['REJECTED', 'WITHDRAWN'],
};

async function walletOf({ account_id }: CardHolder): Promise<bigint> {
  const [row] = await run<{ has: bigint }>(
    h.db,
    `select a.posted - (select coalesce(sum(owed), 0) from ledger.debts d where d.account_id = a.account_id) as has
     from ledger.accounts a where a.account_id = $1`,
    [account_id],
  );
  return row?.has ?? 0n;
}

const HOUSES = ['issuing', 'card-disputes', 'card-surplus', 'card-markup'];
const houses = () => Promise.all(HOUSES.map((purpose) => c.house(purpose)));

/** What the accounts of the house have, by the sums of all payments. */
async function sharesInAll(): Promise<bigint[]> {
  const [row] = await run<Record<'issuing' | 'disputes' | 'surplus' | 'markup', bigint>>(
    h.db,
    `select sum(settled - refunded - won) as issuing, sum(won - surplus - credit) as disputes, sum(surplus) as surplus,
       sum(markup - markup_returned) as markup from card_payments`,
    [],
  );
  return row ? [row.issuing, row.disputes, row.surplus, row.markup] : [];
}

const unitsOf = (text: string): bigint => BigInt(Math.round(Number(text) * 100));

test.each([
  ['200.00', 45],
  ['95.00', 54],
])(
  'with %s in the wallet every story ends with the credit where its end says',
  async (amount, seed) => {
    for (const story of fc.sample(stories, { numRuns: 20, seed })) {
      const siti = await c.cardHolder(amount);
      const { id, went } = await play(siti, story);
      const dispute = await c.read(siti, id);
      const ends = ENDS[went.at(-1) ?? 'representment'];
      if (ends) expect([story, ends.includes(dispute.status)]).toEqual([story, true]);
      const { provisional_credit: credit } = dispute;
      const isKept = credit && credit.taken_back_at === null;
      const kept = isKept ? unitsOf(credit.amount) - unitsOf(credit.refunded) : 0n;
      // Whatever way it takes, of one payment no more comes back than was paid.
      for (const one of await c.paid(siti)) {
        const [settled, back] = [unitsOf(one.settled), unitsOf(one.refunded)];
        const most = settled > back ? settled - back : 0n;
        expect([story, unitsOf(one.credited) <= most]).toEqual([story, true]);
      }
      const isOver = ['LOST', 'WITHDRAWN', 'REJECTED'].includes(dispute.status);
      expect([story, isOver && kept > 0n]).toEqual([story, false]);
      const net = (await c.paid(siti)).reduce((sum, one) => sum + unitsOf(one.net), 0n);
      expect([story, await walletOf(siti)]).toEqual([story, unitsOf(amount) - net + kept]);
      const [open, posted] = await c.credited();
      expect([story, posted]).toEqual([story, open]);
    }
    expect(await c.sums()).toEqual([]);
    expect(await houses()).toEqual(await sharesInAll());
  },
);
