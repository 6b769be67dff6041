import type { Db } from '#kernel/db/db.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import { activeBanks } from './store.ts';

/** The account for a user's rupiah: the primary one, else the first; undefined where there is none. */
export async function payoutAccountOf(db: Db, user_id: number): Promise<BankAccount | undefined> {
  const [bank] = await activeBanks(db, user_id);
  return (
    bank && {
      bankCode: bank.bank_code,
      accountNumber: bank.bank_account_number,
      accountName: bank.bank_account_name,
    }
  );
}
