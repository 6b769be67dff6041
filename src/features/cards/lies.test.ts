import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { money } from '#kernel/money/money.ts';
import { cardNetwork, cardSettings } from '#providers/card-network/adapter.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { done, refused, unknown } from '#providers/provider.ts';
import { cardUser, EXPIRY, GOOD, houseBalance, networkBalance } from '#test/cards.ts';
import { harness } from '#test/harness.ts';
import { type CardBooks, cardBooks } from './books.ts';
import { checkOut } from './checkout.ts';
import { cardSchedules } from './recovery.ts';
import { findByOperation } from './store.ts';
import { lookUp } from './transaction.ts';

/** The network's own answers, with lies in between. */
const h = await harness({ mock: false });
const real = cardNetwork(cardSettings(h.kernel.config, () => `${h.app.sandboxUrl()}/card-network`));
const books = cardBooks(h.db, h.kernel.vault);
const depsWith = (lies: Partial<CardNetwork>, booked = books) => ({
  ...h.kernel,
  network: { ...real, ...lies },
  books: booked,
});

async function customer() {
  const person = await h.user();
  const { user_id, client_id } = person;
  const ids = { key: null, user_id, client_id, session_id: randomUUID() };
  const caller = { ...ids, role: 'user' as const, operator: false };
  const body = { amount: '10', card_number: GOOD, expiry_date: EXPIRY };
  const operation = randomUUID();
  return {
    operation,
    pay: (lies: Partial<CardNetwork>, booked = books) =>
      checkOut(depsWith(lies, booked), { caller, operation, currency: 'USD', body }),
    row: async () => {
      const row = await findByOperation(h.db, operation);
      if (!row) throw new Error('It was given up');
      return row;
    },
    balance: () => cardUser(h, person).balance(),
  };
}
const silent = async () => unknown('nothing came back');
const open = { code: 'PROVIDER_UNAVAILABLE', details: { status: 'PENDING' } };
const inOrder = async () => {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await networkBalance(h, 'USD')).toBe(-(await houseBalance(h, 'card-settlement', 'USD')));
};
/** What the schedule does, with a network of this test's own. */
const schedule = async (lies: Partial<CardNetwork>) => {
  const [look] = cardSchedules(depsWith(lies));
  await look?.run({ signal: new AbortController().signal } as never);
};

test('a name that the network has already is our own call when it moved our money', async () => {
  const user = await customer();
  const pull: CardNetwork['pull'] = async (charge) => {
    await real.pull(charge);
    return refused('DUPLICATE', 'Another transaction has the same reference');
  };
  expect(await user.pay({ pull })).toMatchObject({ state: 'SETTLED' });
  expect(await user.balance()).toEqual([9_70n, 0n]);
  await inOrder();
});

test('a name that the network only calls taken stays open, and comes to nothing later', async () => {
  const user = await customer();
  const taken = async () => refused('DUPLICATE', 'Another transaction has the same reference');
  await expect(user.pay({ pull: taken, find: taken })).rejects.toMatchObject(open);
  const row = await user.row();
  await h.advance(16 * 60);
  expect(await lookUp(depsWith({ find: taken }), row)).toMatchObject({ state: 'FAILED' });
  expect(await user.balance()).toEqual([0n, 0n]);
  await inOrder();
});

test.each([
  ['amount', money('USD', '1000')],
  ['currency', money('SGD', '10')],
] as const)(
  'a look-up that tells another %s books nothing and calls for people',
  async (_, told) => {
    const user = await customer();
    const find: CardNetwork['find'] = async (trace) => {
      const found = await real.find(trace);
      return found.kind === 'done' && found.value ? done({ ...found.value, money: told }) : found;
    };
    const pull: CardNetwork['pull'] = (charge) => real.pull(charge).then(silent);
    await expect(user.pay({ pull, find })).rejects.toMatchObject(open);
    await h.advance(16 * 60);
    await schedule({ find });
    const { reference_id, state } = await user.row();
    expect(state).toBe('PENDING');
    const alarm = h.logs.filter((line) => line.includes('does not say what became'));
    expect(alarm.some((line) => line.includes(reference_id))).toBe(true);
    expect(await user.balance()).toEqual([0n, 0n]);

    expect(await lookUp(depsWith({}), await user.row())).toMatchObject({ state: 'SETTLED' });
    expect(await user.balance()).toEqual([9_70n, 0n]);
    await inOrder();
  },
);

test('an approval that is told ten times at once, and a refusal after it, count as one', async () => {
  const user = await customer();
  const pull: CardNetwork['pull'] = (charge) => real.pull(charge).then(silent);
  await expect(user.pay({ pull, find: silent })).rejects.toMatchObject(open);
  const row = await user.row();
  const declined = { find: async () => refused('DECLINED', 'The card was declined') };
  const looks = Array.from({ length: 10 }, () => lookUp(depsWith({}), row));
  for (const ended of await Promise.all(looks)) expect(ended.state).toBe('SETTLED');
  // This one has read the row before it was settled, and hears of a refusal after it.
  expect(await lookUp(depsWith(declined), row)).toMatchObject({ state: 'SETTLED' });
  expect(await user.balance()).toEqual([9_70n, 0n]);
  await inOrder();
});

test('of two that settle at once the one that was given up books nothing, and the other all', async () => {
  const [late, timely] = [await customer(), await customer()];
  const pull: CardNetwork['pull'] = (charge) => real.pull(charge).then(silent);
  for (const { pay } of [late, timely])
    await expect(pay({ pull, find: silent })).rejects.toMatchObject(open);
  const rows = [await late.row(), await timely.row()];
  const [given] = rows;
  if (given) expect(await books.fail(given, 'NOT_SEEN')).toMatchObject({ state: 'FAILED' });
  const movements = await Promise.all(
    rows.map(({ rrn, traced_at }) => real.find({ rrn, at: new Date(traced_at) })),
  );
  // In one turn of the event loop, so that they are one batch.
  const settled = rows.map((row, i) => {
    const found = movements[i];
    if (found?.kind !== 'done' || !found.value) throw new Error('It was not charged');
    return books.settle(row, found.value);
  });
  const ended = await Promise.allSettled(settled);
  expect(ended).toMatchObject([
    { status: 'rejected', reason: { message: expect.stringContaining('after it was given up') } },
    { status: 'fulfilled', value: { state: 'SETTLED' } },
  ]);
  expect(await late.balance()).toEqual([0n, 0n]);
  expect(await timely.balance()).toEqual([9_70n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('a batch locks the oldest first, so that no two of them wait for each other', async () => {
  const [first, second] = [await customer(), await customer()];
  const pull: CardNetwork['pull'] = (charge) => real.pull(charge).then(silent);
  for (const { pay } of [first, second])
    await expect(pay({ pull, find: silent })).rejects.toMatchObject(open);
  const [older, newer] = [await first.row(), await second.row()];
  const movement = {
    transactionIdentifier: '7',
    approvalCode: 'A',
    transmittedAt: '2026-01-01T00:00:00',
  };
  const lock = 'select id from card_transactions where id = $1 for no key update skip locked';
  let settled: Promise<unknown> | undefined;
  await transact(h.db, async (tx) => {
    await run(tx, lock, [older.id]);
    settled = Promise.all([newer, older].map((row) => books.settle(row, movement)));
    const waits = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const waiting = () => run(h.db, waits, []);
    await expect.poll(waiting).not.toEqual([]);
    expect(await run(tx, lock, [newer.id])).toEqual([{ id: newer.id }]);
  });
  await settled;
  for (const { balance } of [first, second]) expect(await balance()).toEqual([9_70n, 0n]);
});

test('an intent that has grown old is not sent, since it may be given up meanwhile', async () => {
  const user = await customer();
  const slow: CardBooks = {
    ...books,
    async open(...asked) {
      const row = await books.open(...asked);
      await h.advance(31);
      return row;
    },
  };
  const pull = async () => {
    throw new Error('It was sent');
  };
  await expect(user.pay({ pull }, slow)).rejects.toMatchObject(open);
  await h.advance(16 * 60);
  expect(await lookUp(depsWith({}), await user.row())).toMatchObject({
    state: 'FAILED',
    failure: 'NOT_SEEN',
    operation: null,
  });
  expect(await user.balance()).toEqual([0n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('when the answer cannot be booked the caller is told the reference of an open end', async () => {
  const user = await customer();
  const away: CardBooks = {
    ...books,
    settle: () => Promise.reject(new Error('Connection terminated unexpectedly')),
  };
  const told = user.pay({}, away);
  await expect(told).rejects.toMatchObject(open);
  const { reference_id } = await user.row();
  await expect(told).rejects.toMatchObject({ details: { reference_id } });
  expect(h.logs.some((line) => line.includes(reference_id) && line.includes('ended'))).toBe(true);
  await h.advance(2 * 60);
  await schedule({});
  expect(await user.row()).toMatchObject({ state: 'SETTLED' });
  expect(await user.balance()).toEqual([9_70n, 0n]);
});
