import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';

/** The platform's accounts for money of linked bank accounts, in dollars. */
export interface BankAccounts {
  /** The provider's debt to us; below zero by the money that came in. */
  readonly provider: number;
  /** Users' debts after returns that their wallet could not pay; below zero by that. */
  readonly owed: number;
}

/** On the caller's connection: a transaction must not wait for another one. */
export const bankAccounts = async (db: Db): Promise<BankAccounts> => ({
  provider: await openAccount(db, houseAccount('bank-link', 'USD')),
  owed: await openAccount(db, houseAccount('bank-link-owed', 'USD')),
});
