import type { Db } from '#kernel/db/db.ts';
import { lockHoldings } from '#kernel/ledger/holdings.ts';
import { CLOSING_ITEMS_MAX, type ClosingItem } from '#kernel/person-data/closing-check.ts';
import { walletsOfAccounts } from './store.ts';

/** Money in the wallets of a person, what is set aside of it, and what they owe. */
export async function moneyOfPerson(tx: Db, user_id: number): Promise<ClosingItem[]> {
  const { balances, holds, debts } = await lockHoldings(tx, user_id, CLOSING_ITEMS_MAX);
  const accounts = [...balances, ...holds, ...debts].map(({ account_id }) => account_id);
  const wallets = await walletsOfAccounts(tx, { user_id }, [...new Set(accounts)]);
  const item = (type: string, id: string, one: (typeof balances)[number]): ClosingItem => {
    const wallet = wallets.get(one.account_id);
    const { asset, units } = one;
    const href = wallet === undefined ? null : `/wallets/fiat/${wallet}/explain`;
    return { type, id, amount: { asset, units }, href };
  };
  return [
    ...balances.map((one) =>
      item('balance', String(wallets.get(one.account_id) ?? one.asset), one),
    ),
    ...holds.map((one) => item('hold', one.hold, one)),
    ...debts.map((one) => item('debt', one.debt, one)),
  ];
}
