import { expect, test } from 'vitest';
import { ALSO_GOOD, cardUser, DECLINED, GOOD } from '#test/cards.ts';
import { type Harness, harness } from '#test/harness.ts';

/** No user owns as many cards as are declined below: a thief tries them out. */

const personOf = async (h: Harness, client_id?: number) =>
  cardUser(h, await h.user(client_id === undefined ? {} : { client_id }));

const approvedClient = async (h: Harness) => {
  const { client_id } = await h.client();
  const values = { client_status: 'ACTIVE' };
  await h.db.updateTable('clients').set(values).where('client_id', '=', client_id).execute();
  return client_id;
};

test('users of a new client share its allowance of declines', async () => {
  const h = await harness();
  const { client_id } = await h.client();
  for (let n = 0; n < 4; n += 1) {
    const thief = await personOf(h, client_id);
    for (let tried = 0; tried < 15; tried += 1)
      expect((await thief.topUp('5', DECLINED))[0]).toBe(400);
  }
  const fifth = await personOf(h, client_id);
  expect(await fifth.topUp('5', GOOD)).toMatchObject([
    429,
    { error: 'Too many declined cards, try again later', code: 'RATE_LIMITED' },
  ]);
  await h.advance(3601);
  expect((await fifth.topUp('5', GOOD))[0]).toBe(200);
});

test('clients of one network share its allowance of declines', async () => {
  const h = await harness();
  for (let n = 0; n < 4; n += 1) {
    const thief = await personOf(h);
    for (let tried = 0; tried < 15; tried += 1)
      expect((await thief.topUp('5', DECLINED))[0]).toBe(400);
  }
  const thief = await personOf(h);
  expect((await thief.topUp('5', GOOD))[0]).toBe(429);
  // An approved client does not pay for strangers behind the same address.
  const approved = await approvedClient(h);
  expect((await (await personOf(h, approved)).topUp('5', GOOD))[0]).toBe(200);
});

test('an approved client has room for the declines of many users', async () => {
  const h = await harness();
  const client_id = await approvedClient(h);
  for (let n = 0; n < 5; n += 1) {
    const person = await personOf(h, client_id);
    for (let tried = 0; tried < 15; tried += 1)
      expect((await person.topUp('5', DECLINED))[0]).toBe(400);
  }
  expect((await (await personOf(h, client_id)).topUp('5', GOOD))[0]).toBe(200);
});

test.each([true, false])(
  'a refund goes to the card of its checkout, not to one with its last digits (mock %s)',
  async (mock) => {
    const h = await harness({ mock });
    const user = await personOf(h);
    const [, { data }] = await user.topUp('20', GOOD);
    const wrong = { card_number: '5555555500001111' };
    expect(await user.refund(data.reference_id, '20', wrong)).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', details: [{ field: 'card_number' }] },
    ]);
    const cards = mock ? [] : await h.sandbox('GET', '/cards');
    expect(cards.filter(({ kind }: { kind: string }) => kind === 'reverse')).toEqual([]);
    expect((await user.refund(data.reference_id, '20'))[0]).toBe(200);
  },
);

test('refunds do not let a thief try out cards either', async () => {
  const h = await harness();
  const user = await personOf(h);
  const [, { data }] = await user.topUp('20', GOOD);
  for (let n = 0; n < 20; n += 1)
    expect(
      (await user.refund(data.reference_id, '20', { card_number: '5555555500001111' }))[0],
    ).toBe(400);
  expect((await user.refund(data.reference_id, '20'))[0]).toBe(429);
  await h.advance(3601);
  expect((await user.refund(data.reference_id, '20'))[0]).toBe(200);
});

test('a top-up from before card fingerprints is refunded by its last digits', async () => {
  const h = await harness();
  const user = await personOf(h);
  const [, { data }] = await user.topUp('20', GOOD);
  await h.db
    .updateTable('card_transactions')
    .set({ card_fingerprint: null })
    .where('reference_id', '=', data.reference_id)
    .execute();
  expect((await user.refund(data.reference_id, '20', { card_number: ALSO_GOOD }))[0]).toBe(400);
  expect((await user.refund(data.reference_id, '20'))[0]).toBe(200);
});
