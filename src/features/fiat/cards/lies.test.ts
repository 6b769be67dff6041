import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { done, refused, unknown } from '#kernel/effects/outcome.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import { cardNetwork, cardSettings } from '#providers/card-network/adapter.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { cardUser, EXPIRY, GOOD, houseBalance, networkBalance } from '#test/cards.ts';
import { harness } from '#test/harness.ts';
import { gate, untilLockAwaited } from '#test/waiting.ts';
import type { StoreCharge } from './books.ts';
import { checkOut } from './checkout.ts';
import { type CardTransaction, cardFindByOperation, getTransaction } from './store.ts';
import { createCardTransactions } from './transaction.ts';

/** The network's own answers, with lies in between. */
const h = await harness({ mock: false });
const { kernel } = h;
const real = cardNetwork(cardSettings(kernel.config, () => `${h.app.sandboxUrl()}/card-network`));

/** Another process, whose network answers as the test says, and whose books the test may break. */
let lies: Partial<CardNetwork> = {};
let isDatabaseAway = false;
const jobs = createJobs(kernel);
afterAll(() => jobs.stop(0));
const effects = createEffects({ ...kernel, jobs });
const lied: CardNetwork = {
  ...real,
  pull: (charge) => (lies.pull ?? real.pull)(charge),
  find: (...trace) => (lies.find ?? real.find)(...trace),
};
const deps = createCardTransactions({ ...kernel, effects, fx: h.app.providers.fx, network: lied });
const { effect } = deps;
effects.register([
  {
    ...effect,
    async settle(tx, row: never, value: never) {
      if (isDatabaseAway) throw new Error('Connection terminated unexpectedly');
      await effect.settle(tx, row, value);
    },
  },
]);

/** Runs the job with a network of the test's own. */
async function lookUp(row: CardTransaction, telling: Partial<CardNetwork>) {
  lies = telling;
  await effects.drive(effect, row.reference_id);
  return getTransaction(h.db, row.id);
}

async function customer() {
  const person = await h.user();
  const { user_id, client_id } = person;
  const ids = { key: null, user_id, client_id, session_id: randomUUID() };
  const caller = { ...ids, role: 'user' as const, operator: false };
  const body = { amount: '10', card_number: GOOD, expiry_date: EXPIRY };
  const operation = randomUUID();
  return {
    operation,
    pay(telling: Partial<CardNetwork>, by = deps) {
      lies = telling;
      return checkOut(by, { caller, operation, currency: 'USD', body });
    },
    row: async () => {
      const row = await cardFindByOperation(h.db, operation);
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
test('a duplicate reference is our own call when it moved our money', async () => {
  const user = await customer();
  const pull: CardNetwork['pull'] = async (charge) => {
    await real.pull(charge);
    return refused('DUPLICATE', 'Another transaction has the same reference');
  };
  expect(await user.pay({ pull })).toMatchObject({ state: 'SETTLED' });
  expect(await user.balance()).toEqual([9_70n, 0n]);
  await inOrder();
});

test('a duplicate reference without a charge stays open, and is given up later', async () => {
  const user = await customer();
  const taken = async () => refused('DUPLICATE', 'Another transaction has the same reference');
  await expect(user.pay({ pull: taken, find: taken })).rejects.toMatchObject(open);
  const row = await user.row();
  await h.advance(16 * 60);
  expect(await lookUp(row, { find: taken })).toMatchObject({ state: 'FAILED' });
  expect(await user.balance()).toEqual([0n, 0n]);
  await inOrder();
});

test.each([
  ['amount', money('USD', '1000')],
  ['currency', money('SGD', '10')],
] as const)(
  'a look-up that reports another %s books nothing and raises an alarm',
  async (_, told) => {
    const user = await customer();
    const find: CardNetwork['find'] = async (trace) => {
      const found = await real.find(trace);
      return found.kind === 'done' && found.value ? done({ ...found.value, money: told }) : found;
    };
    const pull: CardNetwork['pull'] = (charge) => real.pull(charge).then(silent);
    await expect(user.pay({ pull, find })).rejects.toMatchObject(open);
    await h.advance(16 * 60);
    await lookUp(await user.row(), { find });
    const { reference_id, state } = await user.row();
    expect(state).toBe('PENDING');
    const alarm = h.logs.filter((line) => line.includes('does not report the outcome'));
    expect(alarm.some((line) => line.includes(reference_id))).toBe(true);
    expect(await user.balance()).toEqual([0n, 0n]);
    const inDoubt = (await effects.stats(h.db)).find(({ kind }) => kind === 'card');
    expect(inDoubt).toMatchObject({ open: 1, oldest_s: expect.closeTo(16 * 60, -2) });

    expect(await lookUp(await user.row(), {})).toMatchObject({ state: 'SETTLED' });
    expect(await user.balance()).toEqual([9_70n, 0n]);
    await inOrder();
  },
);

test('ten concurrent approvals and a late refusal count as one approval', async () => {
  const user = await customer();
  const pull: CardNetwork['pull'] = (charge) => real.pull(charge).then(silent);
  await expect(user.pay({ pull, find: silent })).rejects.toMatchObject(open);
  const row = await user.row();
  // This one has read the row before it was settled, and gets a refusal after that.
  const late = gate();
  const declined = async () => {
    await late.pass();
    return refused('DECLINED', 'The card was declined');
  };
  const lookingLate = lookUp(row, { find: declined });
  await late.reached;
  const looks = Array.from({ length: 10 }, () => lookUp(row, {}));
  for (const ended of await Promise.all(looks)) expect(ended.state).toBe('SETTLED');
  late.open();
  expect(await lookingLate).toMatchObject({ state: 'SETTLED' });
  expect(await user.balance()).toEqual([9_70n, 0n]);
  await inOrder();
});

/** A pull whose answer comes when the test says so. */
const slowPull = ({ pass }: ReturnType<typeof gate>) => ({
  async pull(...charge: Parameters<CardNetwork['pull']>) {
    const outcome = await real.pull(...charge);
    await pass();
    return outcome;
  },
});

test('of two charges that settle together, only the one not given up is booked', async () => {
  const [late, timely] = [await customer(), await customer()];
  const [first, second] = [gate(), gate()];
  const paying = [late.pay(slowPull(first))];
  await first.reached;
  paying.push(timely.pay(slowPull(second)));
  await second.reached;
  const given = await late.row();
  await h.advance(16 * 60);
  expect(await lookUp(given, { find: async () => done(undefined) })).toMatchObject({
    state: 'FAILED',
    failure: 'NOT_SEEN',
  });
  // In one turn of the event loop, so that they are one batch.
  first.open();
  second.open();
  const ended = await Promise.allSettled(paying);
  expect(ended).toMatchObject([
    { status: 'rejected', reason: open },
    { status: 'fulfilled', value: { state: 'SETTLED' } },
  ]);
  const alarm = h.logs.filter((line) => line.includes('done after it had been given up'));
  expect(alarm.some((line) => line.includes(given.reference_id))).toBe(true);
  expect(await late.balance()).toEqual([0n, 0n]);
  expect(await timely.balance()).toEqual([9_70n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('a batch locks its oldest row first, so that two batches do not deadlock', async () => {
  const [first, second] = [await customer(), await customer()];
  const pull: CardNetwork['pull'] = (charge) => real.pull(charge).then(silent);
  for (const { pay } of [first, second])
    await expect(pay({ pull, find: silent })).rejects.toMatchObject(open);
  const [older, newer] = [await first.row(), await second.row()];
  const gates = [gate(), gate()];
  const asked = gates.values();
  const find: CardNetwork['find'] = async (trace) => {
    const found = await real.find(trace);
    await asked.next().value?.pass();
    return found;
  };
  const looks = [newer, older].map((row) => lookUp(row, { find }));
  await Promise.all(gates.map(({ reached }) => reached));
  const lock = 'select id from card_transactions where id = $1 for no key update skip locked';
  await transact(h.db, async (tx) => {
    await run(tx, lock, [older.id]);
    // In one turn of the event loop, so that they are one batch.
    for (const { open: answer } of gates) answer();
    await untilLockAwaited(h);
    expect(await run(tx, lock, [newer.id])).toEqual([{ id: newer.id }]);
  });
  await Promise.all(looks);
  for (const { balance } of [first, second]) expect(await balance()).toEqual([9_70n, 0n]);
});

test('an old intent is not sent, since another process may give it up', async () => {
  const user = await customer();
  const slow = {
    ...deps,
    async store(...charge: Parameters<StoreCharge>) {
      const stored = await deps.store(...charge);
      await h.advance(31);
      return stored;
    },
  };
  const pull = async () => {
    throw new Error('It was sent');
  };
  await expect(user.pay({ pull }, slow)).rejects.toMatchObject(open);
  expect(h.logs.some((line) => line.includes('It was sent'))).toBe(false);
  await h.advance(16 * 60);
  expect(await lookUp(await user.row(), {})).toMatchObject({
    state: 'FAILED',
    failure: 'NOT_SEEN',
    operation: null,
  });
  expect(await user.balance()).toEqual([0n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('the caller gets the reference of a charge whose answer cannot be booked', async () => {
  const user = await customer();
  isDatabaseAway = true;
  const told = user.pay({});
  await expect(told).rejects.toMatchObject(open);
  const { reference_id } = await user.row();
  await expect(told).rejects.toMatchObject({ details: { reference_id } });
  expect(h.logs.some((line) => line.includes(reference_id) && line.includes('ended'))).toBe(true);
  isDatabaseAway = false;
  await h.advance(2 * 60);
  await h.drain();
  expect(await user.row()).toMatchObject({ state: 'SETTLED' });
  expect(await user.balance()).toEqual([9_70n, 0n]);
});
