import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { transact } from '../transact.ts';
import { balancesOf, houseAccount, openAccount } from './accounts.ts';
import { hold, transfer } from './ledger.ts';
import { splitAccounts } from './parts.ts';
import { postWithin } from './post.ts';
import { findTransfer, reversalLegs } from './transfers.ts';

const h = await harness();
const wallet = await openAccount(h.db, { owner: 'user:7', purpose: 'wallet', asset: 'IDR' });
const house = await openAccount(h.db, houseAccount('testing', 'IDR'));
const post = (key: string, legs: Parameters<typeof postWithin>[1]['legs']) =>
  transact(h.db, (tx) => postWithin(tx, { key, kind: 'testing', legs }));

test('what a process has posted to its part of an account is undone on the account', async () => {
  const parts = splitAccounts(h.db, () => 3);
  await parts.open(house);
  expect(parts.rowOf(house)).not.toBe(house);
  await post('one', transfer(house, wallet, 500n));
  const found = await findTransfer(h.db, 'one');
  expect(found).toMatchObject({
    kind: 'testing',
    entries: [
      { account: wallet, owner: 'user:7', purpose: 'wallet', amount: 500n, has_holds: false },
      { account: house, owner: 'house', purpose: 'testing', amount: -500n, has_holds: false },
    ],
  });
  await post('its reversal', found ? reversalLegs(found) : []);
  const balances = await balancesOf(h.db, [wallet, house]);
  expect([...balances.values()].map(({ posted }) => posted)).toEqual([0n, 0n]);
});

test('a hold says that it is one, and what was never posted is not found', async () => {
  await post('two', transfer(house, wallet, 500n));
  await post('held', hold(wallet, 200n));
  expect(await findTransfer(h.db, 'held')).toMatchObject({
    entries: [{ account: wallet, amount: 0n, has_holds: true }],
  });
  expect(await findTransfer(h.db, 'never')).toBeUndefined();
});
