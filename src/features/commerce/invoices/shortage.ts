import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { format } from '#kernel/money/money.ts';

type Needed = Pick<FiatWallet, 'account_id' | 'currency'> & { readonly amount: bigint };

/** Says of INSUFFICIENT_BALANCE what there is and what it would take. */
export async function withInvoiceShortage<T>(
  tx: Db,
  { account_id, currency, amount }: Needed,
  post: () => Promise<T>,
): Promise<T> {
  try {
    return await post();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_BALANCE') throw error;
    const { available } = await balanceOf(tx, account_id);
    const text = (units: bigint) => format({ asset: currency, units });
    throw fail('INSUFFICIENT_BALANCE', 'Insufficient balance', {
      details: { available: text(available), required: text(amount), currency },
    });
  }
}
