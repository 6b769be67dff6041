import { expect, test } from 'vitest';
import { cardUser } from '#test/cards.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();
const operator = await h.operator();
const why = { reason: 'Money that is said to be stolen' };

const order = (what: 'freeze' | 'unfreeze', wallet_id: number, as: Person = operator) =>
  h.call(`POST /wallets/fiat/{wallet_id}/${what}`, { as, params: { wallet_id }, body: why });
async function owner(client_id?: number) {
  const as = await h.user(client_id === undefined ? {} : { client_id });
  const [, { data }] = await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  return { wallet_id: data.wallet_id as number, ...cardUser(h, as) };
}
const actions = async (user_id: number) =>
  (
    await h.db
      .selectFrom('activity_log')
      .select(['action', 'actor_user_id', 'details'])
      .where('subject_user_id', '=', user_id)
      .where('action', 'like', 'WALLET%')
      .orderBy('id')
      .execute()
  ).map(({ action, actor_user_id, details }) => [action, actor_user_id, details]);

test('a frozen wallet takes money in and pays none out, until it is released', async () => {
  const user = await owner();
  const { wallet_id } = user;
  const [, top] = await user.topUp(100);
  const is = { wallet_id, is_frozen: true, frozen_by: operator.user_id, ...why };
  expect(await order('freeze', wallet_id)).toMatchObject([
    200,
    { data: { ...is, frozen_at: expect.any(String) } },
  ]);
  const refused = [403, { code: 'WALLET_FROZEN' }];
  expect(await user.push(10)).toMatchObject(refused);
  expect(await user.refund(top.data.reference_id, 10)).toMatchObject(refused);
  // More than there is: it is frozen first.
  expect(await user.push(1000)).toMatchObject(refused);
  expect(await user.topUp(10)).toMatchObject([200, {}]);
  expect(await user.balance()).toEqual([106_70n, 0n]);
  const list = () =>
    h.call('GET /wallets/fiat/{user_id}', {
      as: user.as,
      params: { user_id: user.as.user_id },
    });
  expect((await list())[1].data.wallets).toMatchObject([{ is_frozen: true, balance: '106.70' }]);
  expect(await order('unfreeze', wallet_id)).toMatchObject([
    200,
    { data: { wallet_id, is_frozen: false, reason: null, frozen_by: null, frozen_at: null } },
  ]);
  expect((await list())[1].data.wallets).toMatchObject([{ is_frozen: false }]);
  expect((await user.push(10))[0]).toBe(200);
  expect(await actions(user.as.user_id)).toEqual([
    ['WALLET_FROZEN', operator.user_id, { wallet_id, ...why }],
    ['WALLET_UNFROZEN', operator.user_id, { wallet_id, ...why }],
  ]);
});

test('of twenty concurrent freezes one counts', async () => {
  const { as, wallet_id } = await owner();
  for (const what of ['freeze', 'unfreeze'] as const) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => order(what, wallet_id)));
    for (const [status, { data }] of answers)
      expect([status, data]).toEqual([200, answers[0]?.[1].data]);
  }
  expect(await actions(as.user_id)).toHaveLength(2);
  await h.kernel.events.settle();
  const query = { object: `wallet:${wallet_id}` };
  const [, { data }] = await h.call('GET /events', { as: operator, query });
  const types = data.events.map(({ type }: { type: string }) => type);
  expect(types.slice(0, 2)).toEqual(['wallet.unfrozen', 'wallet.frozen']);
});

test('no concurrent payment takes from a wallet after its freeze', async () => {
  const user = await owner();
  await user.topUp(100);
  const paying = Array.from({ length: 12 }, () => user.push(1));
  const frozen = order('freeze', user.wallet_id).then(() => user.balance());
  const [left] = await Promise.all([frozen, ...paying]);
  // Money held before is paid; the free balance has not become less.
  const free = ([posted, held]: [bigint, bigint]) => posted - held;
  expect(free(await user.balance())).toBe(free(left));
});

test('a client’s admin freezes its users’ wallets, and releases those not frozen by the operator', async () => {
  const admin = await h.user({ role: 'admin' });
  const { as, wallet_id } = await owner(admin.client_id);
  const elsewhere = await owner();
  for (const what of ['freeze', 'unfreeze'] as const) {
    expect((await order(what, wallet_id, admin))[0]).toBe(200);
    expect((await order(what, wallet_id, as))[0]).toBe(403);
    for (const one of [elsewhere.wallet_id, 9_999_999])
      expect(await order(what, one, admin)).toMatchObject([
        404,
        { error: { code: 'WALLET_NOT_FOUND' } },
      ]);
  }
  await order('freeze', wallet_id, admin);
  const theirs = { data: { frozen_by: operator.user_id } };
  expect(await order('freeze', wallet_id)).toMatchObject([200, theirs]);
  expect(await order('freeze', wallet_id, admin)).toMatchObject([200, theirs]);
  expect(await order('unfreeze', wallet_id, admin)).toMatchObject([
    403,
    { error: { code: 'FORBIDDEN' } },
  ]);
  expect((await order('unfreeze', wallet_id))[0]).toBe(200);
});
