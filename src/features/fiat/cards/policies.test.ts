import { expect, test } from 'vitest';
import { cardUser, DECLINED } from '#test/cards.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness({ mock: false });
const { client_id } = await h.client();
const ada = await h.user({ role: 'admin', client_id });
const ben = await h.user({ role: 'admin', client_id });

async function publish(body: object): Promise<Body> {
  const [, { data }] = await h.call('POST /policies', { as: ada, body });
  await h.call('POST /policies/{policy_id}/publish', {
    as: ben,
    params: data,
    body: { version: 1 },
  });
  return data;
}

const cardsOf = async (amount: string) => {
  const person: Person = await h.user({ client_id });
  const cards = cardUser(h, person);
  await cards.topUp(amount);
  return { person, cards };
};

test('a push that a limit refuses moves nothing, and one that the network declines counts no more', async () => {
  const { policy_id } = await publish({
    name: 'Pushes a day',
    applies_to: ['withdrawal'],
    when: 'op == "card_push"',
    then: { limit: { amount: '50', per: 'user', window: '1d' } },
  });
  const { cards, person } = await cardsOf('200');
  expect((await cards.push('30'))[0]).toBe(200);
  const used = async () => {
    const row = await h.db
      .selectFrom('policy_sums')
      .select('amount')
      .where('tally', 'like', 'policy:%')
      .where('subject', '=', `user:${person.user_id}`)
      .executeTakeFirst();
    return row?.amount;
  };
  const [status, { error, code, details }] = await cards.push('30');
  expect([status, error?.code ?? code]).toEqual([400, 'LIMIT_EXCEEDED']);
  expect(error?.details ?? details).toMatchObject({
    limit_id: policy_id,
    limit: '50.00',
    used: '30.00',
    currency: 'USD',
  });
  expect(await used()).toBe(3000n);
  expect((await cards.push('20', { card_number: DECLINED }))[0]).not.toBe(200);
  expect(await used()).toBe(3000n);
  expect((await cards.push('20'))[0]).toBe(200);
  expect(await used()).toBe(5000n);
});

test('an approval or a hold of what cannot wait is a denial that says so', async () => {
  const { policy_id } = await publish({
    name: 'Refunds wait',
    applies_to: ['refund'],
    when: 'usd_cents > 1000',
    then: { approve: { count: 1 } },
  });
  const person = await h.user({ client_id });
  const cards = cardUser(h, person);
  const [, top] = await cards.topUp('100');
  const reference = top.data?.reference_id ?? top.reference_id;
  const [status, { error, code, details }] = await cards.refund(reference, '20');
  expect([status, error?.code ?? code]).toEqual([403, 'POLICY_DENIED']);
  expect((error?.details ?? details).policy_id).toBe(policy_id);
  expect((error?.details ?? details).unmet).toContain('cannot wait');
  expect((await cards.refund(reference, '10'))[0]).toBe(200);
});
