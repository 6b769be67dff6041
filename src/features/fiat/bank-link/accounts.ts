import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';

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
