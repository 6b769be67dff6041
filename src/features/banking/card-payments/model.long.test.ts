// Long: sixty stories, each of up to nine calls and as many notifications.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';
import { type CardHolder, issuedCards } from '#test/issued-cards.ts';

const h = await harness();
const { cardHolder, playQuietly, notify, paid, sums } = issuedCards(h);

/** What the network does after a first yes, and in which order the service hears of it. */
const acts = fc.array(
  fc.record({
    act: fc.constantFrom('increment', 'reverse', 'settle', 'settle', 'refund'),
    cents: fc.integer({ min: 1, max: 9000 }),
    isFinal: fc.boolean(),
    /** When it is told, among the others. */
    place: fc.integer({ min: 0, max: 1000 }),
    isTwice: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);
const stories = fc.record({
  first: fc.constantFrom('authorize', 'advice'),
  cents: fc.integer({ min: 100, max: 9000 }),
  isForeign: fc.boolean(),
  acts,
});
type Story = typeof stories extends fc.Arbitrary<infer S> ? S : never;

const TEXT = {
  increment: 'incremented',
  reverse: 'reversed',
  settle: 'settled',
  refund: 'refunded',
};

/** The sums, as simple as they can be said. */
function modelOf({ cents, isForeign, acts: all }: Story, said: readonly boolean[]) {
  const sum = (act: string) =>
    all.reduce((total, one, n) => (one.act === act && said[n] ? total + one.cents : total), 0);
  const [incremented, reversed, settled, refunded] = [
    sum('increment'),
    sum('reverse'),
    sum('settle'),
    sum('refund'),
  ];
  const isClosed = all.some(({ act, isFinal }) => act === 'settle' && isFinal);
  const held = isClosed ? 0 : Math.max(0, cents + incremented - reversed - settled);
  const bps = isForeign ? 100 : 0;
  const markup = Math.ceil((settled * bps) / 10_000);
  const returned = refunded >= settled ? markup : Math.floor((markup * refunded) / settled);
  return {
    [TEXT.increment]: incremented,
    [TEXT.reverse]: reversed,
    [TEXT.settle]: settled,
    [TEXT.refund]: refunded,
    authorized: cents,
    held: held === 0 ? 0 : held + Math.ceil(((held + settled) * bps) / 10_000) - markup,
    markup: markup - returned,
    net: settled + markup - returned - refunded,
  };
}

const centsOf = (text: string): number => Math.round(Number(text) * 100);

/** Plays a story, and has the service hear of it in another order. */
async function play(siti: CardHolder, { first, cents, isForeign, acts: all }: Story) {
  const foreign = isForeign ? { merchant_amount: 1, merchant_currency: 'JPY' } : {};
  const began = await playQuietly(siti, first as 'authorize', { amount: cents / 100, ...foreign });
  const { token } = began.transaction;
  const said: boolean[] = [];
  const heard: { token: string; place: number }[] = [{ token, place: 500 }];
  for (const { act, cents: part, isFinal, place, isTwice } of all) {
    const body = {
      amount: part / 100,
      transaction: token,
      ...(act === 'settle' && { final: isFinal }),
    };
    const { status, transaction } = await playQuietly(siti, act as 'settle', {
      ...body,
      ...foreign,
    });
    said.push(status === 200);
    heard.push({ token: transaction.token, place });
    if (isTwice) heard.push({ token: transaction.token, place: 1000 - place });
  }
  for (const one of heard.toSorted((a, b) => a.place - b.place)) await notify(one.token);
  return said;
}

async function walletOf({ account_id }: CardHolder) {
  const [row] = await run<{ posted: bigint; held: bigint; owed: bigint; holding: bigint }>(
    h.db,
    `select a.posted, a.held, (select coalesce(sum(owed), 0) from ledger.debts d where d.account_id = a.account_id) as owed,
       (select coalesce(sum(holding), 0) from card_payments p where p.account_id = a.account_id) as holding
     from ledger.accounts a where a.account_id = $1`,
    [account_id],
  );
  return row;
}

test('random stories, heard in random orders and twice, end at the sums that a model says', async () => {
  for (const story of fc.sample(stories, { numRuns: 30, seed: 45 })) {
    const siti = await cardHolder('100000.00');
    const said = await play(siti, story);
    const all = await paid(siti);
    expect([story, all.length]).toEqual([story, 1]);
    const shown = Object.fromEntries(
      Object.keys(modelOf(story, said)).map((key) => [key, centsOf(all[0][key])]),
    );
    expect({ story, ...shown }).toEqual({ story, ...modelOf(story, said) });
    const wallet = await walletOf(siti);
    expect([story, Number(wallet?.posted), Number(wallet?.held)]).toEqual([
      story,
      10_000_000 - centsOf(all[0].net),
      centsOf(all[0].held),
    ]);
  }
  expect(await sums()).toEqual([]);
});

test('with too little in the wallet the rest is owed, and no wallet is below zero', async () => {
  for (const story of fc.sample(stories, { numRuns: 30, seed: 54 })) {
    const siti = await cardHolder('20.00');
    await play(siti, { ...story, first: 'advice' });
    const net = (await paid(siti)).reduce((sum, one) => sum + centsOf(one.net), 0);
    const wallet = await walletOf(siti);
    expect([story, Number(wallet?.posted) - Number(wallet?.owed)]).toEqual([story, 2000 - net]);
    expect([story, wallet?.held]).toEqual([story, wallet?.holding]);
    expect(Number(wallet?.posted)).toBeGreaterThanOrEqual(Number(wallet?.held));
  }
  expect(await sums()).toEqual([]);
});
