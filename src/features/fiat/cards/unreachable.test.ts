import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { CVV, cardUser, EXPIRY, GOOD } from '#test/cards.ts';
import { harness } from '#test/harness.ts';

/** No server listens there, so no call ever leaves. */
const h = await harness({ mock: false, config: { CARD_NETWORK_URL: 'http://127.0.0.1:9' } });

test('with an unreachable network nothing is open, held or charged', async () => {
  const person = await h.user();
  const user = cardUser(h, person);
  const wallet = { owner: `user:${person.user_id}`, purpose: 'wallet', asset: 'USD' } as const;
  const house = await openAccount(h.db, houseAccount('test', 'USD'));
  const legs = transfer(house, await openAccount(h.db, wallet), 50_00n);
  await postWithin(h.db, { key: randomUUID(), kind: 'test', legs });

  const away = {
    error: 'The card network did not take the transaction',
    code: 'PROVIDER_UNAVAILABLE',
  };
  const asked = { card_number: GOOD, expiry_date: EXPIRY, cvv: CVV };
  expect(await user.post('card/validate', asked)).toMatchObject([503, away]);
  for (const key of ['first', 'first', 'second']) {
    expect(await user.topUp(10, GOOD, 'USD', key)).toMatchObject([503, away]);
    expect(await user.push(10, {}, `push ${key}`)).toMatchObject([503, away]);
  }
  expect(await user.balance()).toEqual([50_00n, 0n]);
  const rows = await h.db
    .selectFrom('card_transactions')
    .select(['state', 'failure', 'operation'])
    .execute();
  const failed = { state: 'FAILED', failure: 'UNREACHABLE', operation: null };
  expect(rows).toEqual(Array.from({ length: 6 }, () => failed));
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('a repeated request that the network did not take keeps its reference, and no other one gets it', async () => {
  const person = await h.user();
  const user = cardUser(h, person);
  const body = { card_number: GOOD, expiry_date: EXPIRY, amount: 10, currency_code: 'USD' };
  const ask = (key: string) =>
    user.post('card', { ...body, reference: 'once', metadata: { a: '1' } }, key);
  const named: string[] = [];
  for (const _ of [1, 2, 3]) {
    expect(await ask('same')).toMatchObject([503, { code: 'PROVIDER_UNAVAILABLE' }]);
    const { object_id } = await h.db
      .selectFrom('caller_names')
      .select('object_id')
      .where('user_id', '=', person.user_id)
      .executeTakeFirstOrThrow();
    named.push(object_id);
  }
  // Each repetition is a transaction of its own for the network.
  expect(new Set(named).size).toBe(3);
  expect(await ask('another')).toMatchObject([
    409,
    { code: 'REFERENCE_IN_USE', details: { id: named.at(-1) } },
  ]);
});
