import type { Db } from '#kernel/db/db.ts';
import { balanceOf, houseAccount, openAccount } from '#kernel/ledger/accounts.ts';

/** The platform's side of what comes from linked bank accounts, in dollars. */
export interface BankAccounts {
  /** What the provider holds for us; below zero by what came in. */
  readonly provider: number;
  /** What users owe us after a return that their wallet could not pay; below zero by that. */
  readonly owed: number;
}

/** By whichever connection is at hand: a transaction must not wait for another one. */
export const bankAccounts = async (db: Db): Promise<BankAccounts> => ({
  provider: await openAccount(db, houseAccount('bank-link', 'USD')),
  owed: await openAccount(db, houseAccount('bank-link-owed', 'USD')),
});

/** What of an amount is in a wallet that is not frozen, and promised to nobody. */
export async function takeable(tx: Db, account_id: number, amount: bigint): Promise<bigint> {
  const { available } = await balanceOf(tx, account_id);
  if (available <= 0n) return 0n;
  return available < amount ? available : amount;
}
