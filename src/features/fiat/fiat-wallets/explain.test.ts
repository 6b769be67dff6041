import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { HOLD_OWNERS } from '#src/app/hold-owners.ts';
import { cardUser, spoil } from '#test/cards.ts';
import { type Body, type Harness, harness, type Person } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';

const h = await harness({ mock: false });
const person = await h.user();
const cards = cardUser(h, person);

const walletOf = async (as: Person): Promise<number> => {
  const [, body] = await h.call('GET /wallets/fiat/{user_id}', {
    as,
    params: { user_id: as.user_id },
  });
  return body.data.wallets.find(({ currency }: Body) => currency === 'USD').wallet_id;
};

async function explain(wallet_id: number, as: Person, at?: string): Promise<Body> {
  const [status, body] = await explaining(h, wallet_id, { as, ...(at && { at }) });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}

const explaining = (on: Harness, wallet_id: number, { as, at }: { as: Person; at?: string }) =>
  on.call('GET /wallets/fiat/{wallet_id}/explain', {
    as,
    params: { wallet_id },
    ...(at && { query: { at } }),
  });

const without = ({ holds, ...rest }: Body) => ({
  ...rest,
  holds: holds.map(({ next_attempt_at: _, ...one }: Body) => one),
});

test('a balance is the opening, the sums by kind, and what each payment sets aside', async () => {
  expect((await cards.topUp('100.00'))[0]).toBe(200);
  const wallet_id = await walletOf(person);
  const before = await explain(wallet_id, person);
  expect(before).toMatchObject({
    wallet_id,
    currency: 'USD',
    posted: '97.00',
    held: '0.00',
    available: '97.00',
    opening: '0.00',
    by_kind: [{ kind: 'card-top-up', count: 1, amount: '97.00' }],
    holds: [],
  });
  // The network never sees the payout, and does not answer the question either.
  await spoil(h, 'drop', 2);
  const [, pushed] = await cards.push('10.00');
  const during = await explain(wallet_id, person);
  const [{ reference_id }] = (await run<{ reference_id: string }>(
    h.db,
    "select reference_id from card_transactions where type = 'PUSH' and user_id = $1",
    [person.user_id],
  )) as [{ reference_id: string }];
  expect(pushed).toBeDefined();
  expect(during).toMatchObject({ posted: '97.00', held: '10.00', available: '87.00' });
  expect(during.holds).toEqual([
    {
      amount: '10.00',
      reference: reference_id,
      kind: 'card-hold',
      since: expect.any(String),
      until: null,
      next_attempt_at: expect.any(String),
      freed_by: expect.stringContaining('card network'),
    },
  ]);
  expect(during.checks.length).toBeGreaterThan(2);
  expect(during.checks.every(({ ok }: Body) => ok)).toBe(true);
  for (let n = 0; n < 3; n += 1) {
    await h.advance(3600);
    await h.drain();
  }
  const after = await explain(wallet_id, person);
  expect(after).toMatchObject({ posted: '97.00', held: '0.00', holds: [] });
  expect(without(await explain(wallet_id, person, during.at))).toEqual(without(during));
  expect(await explain(wallet_id, person, before.at)).toEqual(before);
  expect(new Set([before, during, after].map(({ digest }) => digest)).size).toBe(3);
});

test('of a frozen wallet nothing is available, then and later', async () => {
  const wallet_id = await walletOf(person);
  const operator = await h.operator();
  const params = { wallet_id };
  const act = (id: 'freeze' | 'unfreeze') =>
    h.call(`POST /wallets/fiat/{wallet_id}/${id}`, {
      as: operator,
      params,
      body: { reason: 'test' },
    });
  expect((await act('freeze'))[0]).toBe(200);
  const frozen = await explain(wallet_id, person);
  expect(frozen).toMatchObject({ available: '0.00' });
  expect((await act('unfreeze'))[0]).toBe(200);
  expect((await explain(wallet_id, person)).available).toBe(frozen.posted);
  expect(await explain(wallet_id, person, frozen.at)).toEqual(frozen);
});

test('an admin of the client reads it, and nobody of another client', async () => {
  const wallet_id = await walletOf(person);
  const admin = await h.user({ role: 'admin', client_id: person.client_id });
  expect((await explain(wallet_id, admin)).wallet_id).toBe(wallet_id);
  const strangers = [
    await h.user(),
    await h.user({ role: 'admin' }),
    await h.user({ client_id: person.client_id }),
  ];
  for (const as of strangers) {
    const [status, body] = await explaining(h, wallet_id, { as });
    expect([status, body.error.code]).toEqual([404, 'WALLET_NOT_FOUND']);
  }
});

test('a moment that is to come, or is none, is refused by its name', async () => {
  const wallet_id = await walletOf(person);
  for (const at of ['2999-01-01T00:00:00Z', 'yesterday']) {
    const [status, body] = await explaining(h, wallet_id, { as: person, at });
    expect([status, body.error.code, body.error.details[0].field]).toEqual([
      400,
      'VALIDATION_ERROR',
      'at',
    ]);
  }
});

test('programs without the service know all owners of holds that the features declare', () => {
  const kinds = (owners: typeof HOLD_OWNERS) => owners.map(({ kind }) => kind).sort();
  expect(kinds(HOLD_OWNERS)).toEqual(kinds(h.app.features.holds));
  const said = HOLD_OWNERS.map(({ kind, freedBy }) => `${kind} ${freedBy}`);
  expect(new Set(said).size).toBe(HOLD_OWNERS.length);
});

test('the month before is the opening', async () => {
  const wallet_id = await walletOf(person);
  const { posted } = await explain(wallet_id, person);
  await h.advance(31 * 24 * 3600);
  const again = await logInAgain(h, person);
  expect(await explain(wallet_id, again)).toMatchObject({ opening: posted, posted, by_kind: [] });
});
