import type { Db } from '../db/db.ts';
import { AppError, fail } from '../error.ts';
import { format, type Money } from '../money/money.ts';
import { balanceOf } from './accounts.ts';
import type { Operation, Posted } from './ledger.ts';
import { postWithin } from './post.ts';

/**
 * Posts what one account pays or holds, under the rules of `postWithin`. INSUFFICIENT_BALANCE carries what the account
 * has and what it needs, as `details: { available, required, currency }`.
 */
export async function postPayment(
  tx: Db,
  operation: Operation,
  { account_id, needed }: { readonly account_id: number; readonly needed: Money },
): Promise<Posted> {
  try {
    return await postWithin(tx, operation);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_BALANCE') throw error;
    const { available } = await balanceOf(tx, account_id);
    const { asset } = needed;
    throw fail('INSUFFICIENT_BALANCE', 'Insufficient balance', {
      details: {
        available: format({ asset, units: available }),
        required: format(needed),
        currency: asset,
      },
    });
  }
}
