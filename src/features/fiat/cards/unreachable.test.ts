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
