import { expect, test } from 'vitest';
import { defineEffect } from '#kernel/effects/effect.ts';
import { done } from '#kernel/effects/outcome.ts';
import { defineJob } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { freshAddress } from '#test/crosschain.ts';
import { harness, type Person } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { fund, walletOn } from '#test/wallets.ts';

let isBroken = true;
const broken = async () => {
  if (isBroken) throw new Error('no such account');
  return undefined;
};
const letters = defineJob<object>({ name: 'testing.letters', attempts: 1, run: broken });
const effect = defineEffect<string, string>({
  kind: 'testing',
  repeatable: true,
  open: async (_, id) => id,
  call: async () => done('done'),
  settle: broken,
  refuse: async () => true,
});
const h = await harness({
  mock: false,
  features: () => [{ name: 'testing', jobs: [letters], effects: [effect] }],
});
const operator = await h.operator();
const HOUR_S = 3600;

const timeline = async (name: string, as: Person = operator) => {
  const [status, body] = await h.call('GET /desk/timeline', { as, query: { q: name } });
  expect([name, status]).toEqual([name, 200]);
  return body.data as {
    people: { user_id: number }[];
    names: string[];
    moments: { at: string; what: string; type: string; about: string; details: object }[];
  };
};
const kindsIn = ({ moments }: Awaited<ReturnType<typeof timeline>>) =>
  moments.map(({ what, type }) => `${what} ${type}`);

test('a timeline by a payment’s reference goes from the call to the ledger', async () => {
  const as = await h.user();
  const card = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };
  const headers = { 'x-request-id': 'asked-on-the-phone' };
  const body = { ...card, amount: 100, reference: 'invoice-7' };
  const [, { data }] = await h.call('POST /card-checkout/card', { as, headers, body });
  await h.kernel.events.settle();
  const found = await timeline(data.reference_id);
  const told = kindsIn(found);
  expect(told).toContain('event payment.succeeded');
  expect(told).toContain('posting card-top-up');
  expect(told).toContain('call call');
  expect(JSON.stringify(found)).toContain('asked-on-the-phone');
  expect(JSON.stringify(found)).not.toContain('4111111111111111');
  expect(found.moments.map(({ at }) => Date.parse(at))).toEqual(
    found.moments.map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b),
  );
  // As the statement of the wallet names it, too.
  const stated = kindsIn(await timeline(`card:${data.reference_id}`));
  expect(stated).toEqual(
    expect.arrayContaining(['event payment.succeeded', 'posting card-top-up']),
  );
  // By the id of an event of it, the same timeline.
  const [, events] = await h.call('GET /events', { as: operator, query: { type: 'payment.*' } });
  expect(kindsIn(await timeline(events.data.events[0].id))).toEqual(told);
  // By whatever the caller, the card network or the list of payments calls it.
  const { rrn } = await h.db
    .selectFrom('card_transactions')
    .select('rrn')
    .where('reference_id', '=', data.reference_id)
    .executeTakeFirstOrThrow();
  const params = { payment_id: data.reference_id };
  const [, { data: payment }] = await h.call('GET /payments/{payment_id}', { as, params });
  for (const name of ['invoice-7', rrn, payment.provider_reference, payment.payment_id])
    expect(kindsIn(await timeline(name)), name).toEqual(told);
});

test('a timeline by a transaction’s hash accepts every spelling', async () => {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  const { wallet_address } = address ?? { wallet_address: '' };
  await fund(h, 'amoy', wallet_address, 'native', '3');
  const body = {
    wallet_address,
    chain_id: 'amoy',
    token_symbol: 'POL',
    token_contract: 'native',
    to_address: freshAddress(),
    amount: '1',
  };
  const [status, sent] = await h.call('POST /onchain/execute', { as, body });
  expect(status).toBe(201);
  await h.drain();
  const hash: string = sent.data.transaction.tx_hash;
  await h.kernel.events.settle();
  const found = await timeline(hash);
  expect(kindsIn(found)).toEqual(
    expect.arrayContaining(['call call', 'transaction onchain send', 'event transfer.confirmed']),
  );
  const upper = `0x${hash.slice(2).toUpperCase()}`;
  expect(kindsIn(await timeline(upper))).toEqual(kindsIn(found));
});

test('a user is found by e-mail address, user name and id, with their events', async () => {
  const as = await h.user();
  await h.kernel.events.settle();
  const [row] = await h.db
    .selectFrom('users')
    .select(['email', 'username'])
    .where('user_id', '=', as.user_id)
    .execute();
  for (const name of [row?.email ?? '', ` ${row?.username} `, String(as.user_id)]) {
    const { people, moments } = await timeline(name.toUpperCase());
    expect(people.map(({ user_id }) => user_id)).toContain(as.user_id);
    expect(moments.map(({ type }) => type)).toContain('session.opened');
  }
});

test('an unknown name is 404, and only the operator may search', async () => {
  const query = { q: 'nothing-of-the-kind' };
  const [status, body] = await h.call('GET /desk/timeline', { as: operator, query });
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  const admin = await h.user({ role: 'admin' });
  for (const as of [admin, await h.user()])
    for (const path of ['GET /desk/timeline', 'GET /desk/work'] as const)
      expect((await h.call(path, { as, query }))[0]).toBe(403);
});

test('a call in doubt is listed at once, and needs a person once it is overdue', async () => {
  await transact(h.db, (tx) => h.kernel.effects.begin(tx, effect, 'b', { left: {} }));
  const work = async () => (await h.call('GET /desk/work', { as: operator }))[1].data;
  const named = { kind: 'testing', id: 'b', is_overdue: false };
  expect(await work()).toMatchObject({ needs_person: false, in_doubt: [named] });
  await h.advance(2 * HOUR_S + 1);
  expect(await work()).toMatchObject({
    needs_person: true,
    in_doubt: [{ ...named, is_overdue: true }],
    effects: [{ kind: 'testing', open: 1, overdue: 1 }],
  });
  isBroken = false;
  await h.drain();
  isBroken = true;
  expect(await work()).toMatchObject({ needs_person: false, in_doubt: [] });
});

test('stalled and given-up work is listed, and continues on an operator’s request', async () => {
  await transact(h.db, async (tx) => {
    await h.kernel.jobs.enqueue(tx, letters, { secret: 'of the payload' });
    await h.kernel.effects.begin(tx, effect, 'a', { left: {} });
  });
  const work = async () => (await h.call('GET /desk/work', { as: operator }))[1].data;
  for (let n = 0; n < 14; n += 1) {
    await h.drain();
    await h.advance(HOUR_S);
  }
  const before = await work();
  expect(before.needs_person).toBe(true);
  // It is listed once.
  expect(before.in_doubt).toEqual([]);
  expect(before.stalled).toMatchObject([{ what: 'effect', kind: 'testing', id: 'a' }]);
  const [letter] = before.dead_letters.filter(
    ({ name }: { name: string }) => name === letters.name,
  );
  expect(letter).toMatchObject({ error: expect.stringContaining('no such account') });
  expect(JSON.stringify(before)).not.toContain('of the payload');
  expect(kindsIn(await timeline('testing a'))).toContain('call stall');

  isBroken = false;
  await logInAgain(h, operator);
  const again = { what: 'effect', kind: 'testing', id: 'a' };
  expect((await h.call('POST /desk/work/try-again', { as: operator, body: again }))[0]).toBe(200);
  const redrive = { as: operator, params: { id: letter.id } };
  expect((await h.call('POST /desk/dead-letters/{id}/redrive', redrive))[0]).toBe(200);
  await h.drain();
  const after = await work();
  expect(after.stalled).toEqual([]);
  expect(after.dead_letters).toEqual([]);

  // Finished work is not tried again, and both are logged.
  expect((await h.call('POST /desk/work/try-again', { as: operator, body: again }))[0]).toBe(404);
  expect((await h.call('POST /desk/dead-letters/{id}/redrive', redrive))[0]).toBe(404);
  const [, audit] = await h.call('GET /admins/audit', { as: operator });
  const actions = audit.entries.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 2).sort()).toEqual(['WORK_REDRIVEN', 'WORK_TRIED_AGAIN']);
});

test('unknown work cannot be tried again', async () => {
  await logInAgain(h, operator);
  for (const body of [
    { what: 'effect', kind: 'testing', id: 'nobody' },
    { what: 'flow', kind: 'testing', id: 'nobody' },
    { what: 'inbox', kind: 'testing', id: 'nobody' },
  ])
    expect((await h.call('POST /desk/work/try-again', { as: operator, body }))[0]).toBe(404);
});
