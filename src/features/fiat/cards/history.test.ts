import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { cardUser } from '#test/cards.ts';
import { type Body, harness } from '#test/harness.ts';

const h = await harness();

/** A user with four top-ups a minute apart, of 10 to 40, and the answers of a list. */
async function customer() {
  const user = cardUser(h, await h.user());
  const params = { user_id: user.as.user_id };
  const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as: user.as, params });
  const wallet_id: number = data.wallets[0].wallet_id;
  for (const amount of [10, 20, 30, 40]) {
    expect((await user.topUp(amount))[0]).toBe(200);
    await h.advance(60);
  }
  const history = async (query: Record<string, string | number> = {}): Promise<Body[]> =>
    (await user.history({ wallet_id, ...query }))[1].data;
  const statement = async (query: Record<string, string | number> = {}): Promise<Body> =>
    (
      await h.call('GET /wallets/fiat/{wallet_id}/transactions', {
        as: user.as,
        params: { wallet_id },
        query,
      })
    )[1].data;
  return { ...user, wallet_id, history, statement };
}
const amounts = (rows: Body[]) => rows.map(({ amount }) => Number(amount));

test('a card history filters by time, both ends included, and by reference', async () => {
  const { history } = await customer();
  const [newest, third, second] = await history();
  const between = { created_from: second?.created_at, created_to: third?.created_at };
  expect(amounts(await history(between))).toEqual([30, 20]);
  expect(amounts(await history({ ...between, limit: 1 }))).toEqual([30]);
  expect(amounts(await history({ ...between, before: third?.id }))).toEqual([20]);
  expect(amounts(await history({ created_from: newest?.created_at }))).toEqual([40]);
  expect(await history({ created_to: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await history({ created_from: '2999-01-01T00:00:00Z' })).toEqual([]);
  expect(amounts(await history({ reference: second?.reference_id }))).toEqual([20]);
  expect(
    await history({ reference: second?.reference_id, created_from: third?.created_at }),
  ).toEqual([]);
});

test('a filter by status looks through a thousand rows, and says where to go on', async () => {
  const { history, wallet_id, as } = await customer();
  const [newest, , second] = await history();
  expect(amounts(await history({ status: 'SUCCESS_RECEIVED', limit: 3 }))).toEqual([40, 30, 20]);
  await run(h.db, "update card_transactions set status = 'LATER' where id = $1", [second?.id]);
  expect(amounts(await history({ status: 'LATER' }))).toEqual([20]);
  expect(await history({ status: 'NEVER' })).toEqual([]);
  const columns = `type, wallet_id, user_id, client_id, card_last4, card_fingerprint, currency, amount,
    platform_fee, net_amount, state, status, simulated, traced_at, transaction_identifier, approval_code,
    transmitted_at, flow`;
  await run(
    h.db,
    `insert into card_transactions (reference_id, rrn, ${columns})
     select reference_id || translate(n::text, '0123456789', 'ABCDEFGHIJ'), lpad((1000000 + n)::text, 12, '0'), ${columns}
     from card_transactions, generate_series(1, 1000) n where id = $1`,
    [newest?.id],
  );
  const query = { wallet_id, status: 'LATER' };
  const { body, headers } = await h.send('GET /card-checkout/card/history', { as, query });
  expect(body.data).toEqual([]);
  const [, before] = /before=(\d+)/.exec(headers.get('link') ?? '') ?? [];
  expect(amounts(await history({ status: 'LATER', before: Number(before) }))).toEqual([20]);
});

test('a statement filters by time and by reference', async () => {
  const { statement } = await customer();
  const { transactions } = await statement();
  const of = async (query: Record<string, string | number>) =>
    (await statement(query)).transactions.map(({ seq }: Body) => seq);
  const [newest, third, second, first] = transactions;
  const between = { created_from: second.created_at, created_to: third.created_at };
  expect(await of(between)).toEqual([third.seq, second.seq]);
  expect(await of({ ...between, limit: 1 })).toEqual([third.seq]);
  expect(await of({ ...between, before: third.seq })).toEqual([second.seq]);
  expect(await of({ created_to: first.created_at })).toEqual([first.seq]);
  expect(await of({ created_from: newest.created_at })).toEqual([newest.seq]);
  expect(await of({ created_from: '2999-01-01T00:00:00Z' })).toEqual([]);
  expect(await of({ created_to: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await of({ reference: second.reference })).toEqual([second.seq]);
  expect(await of({ reference: 'nothing' })).toEqual([]);
});

test('concurrent payments have dates in the order of their ids, and no filter loses one', async () => {
  const { topUp, history, statement } = await customer();
  await Promise.all(Array.from({ length: 20 }, (_, n) => topUp(n + 1)));
  const entries: Body[] = (await statement({ limit: 100 })).transactions;
  const times = entries.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().reverse());
  const payments = await history({ limit: 100 });
  const since = (rows: Body[], at: string) => rows.filter(({ created_at }) => created_at >= at);
  for (const at of new Set(times)) {
    const page = { limit: 100, created_from: at };
    expect((await statement(page)).transactions).toEqual(since(entries, at));
  }
  for (const at of new Set(payments.map(({ created_at }) => created_at))) {
    const page = { limit: 100, created_from: at };
    expect(await history(page)).toEqual(since(payments, at));
  }
});
