import type { Db } from '#kernel/db/db.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import { activeBanks } from './store.ts';

/** Where a user's rupiah go: the primary account, else the first; nothing where there is none. */
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
