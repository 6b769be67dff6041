import { expect, test } from 'vitest';
import { ALSO_GOOD, cardUser, DECLINED, GOOD } from '#test/cards.ts';
import { type Harness, harness } from '#test/harness.ts';

/** Nobody owns as many cards as are declined below: they are being tried out. */

const personOf = async (h: Harness, client_id?: number) =>
  cardUser(h, await h.user(client_id === undefined ? {} : { client_id }));

const approvedClient = async (h: Harness) => {
  const { client_id } = await h.client();
  const values = { client_status: 'ACTIVE' };
  await h.db.updateTable('clients').set(values).where('client_id', '=', client_id).execute();
  return client_id;
};

test('Users that a new client has made up share what it may have declined', async () => {
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

test('Clients that a network has made up share what it may have declined', async () => {
  const h = await harness();
  for (let n = 0; n < 4; n += 1) {
    const thief = await personOf(h);
    for (let tried = 0; tried < 15; tried += 1)
      expect((await thief.topUp('5', DECLINED))[0]).toBe(400);
  }
  const thief = await personOf(h);
  expect((await thief.topUp('5', GOOD))[0]).toBe(429);
  // Whom the platform has approved does not pay for strangers behind the same address.
  const approved = await approvedClient(h);
  expect((await (await personOf(h, approved)).topUp('5', GOOD))[0]).toBe(200);
});

test('An approved client has room for the declines of many people', async () => {
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
  'A refund goes to the card of its checkout, not to one with its last digits (mock %s)',
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

test('Cards are not tried out by refunds either', async () => {
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

test('What was taken before cards were recognised is refunded by its last digits', async () => {
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
