import { payoutHouse } from '#features/fiat/payouts/payouts.ts';
import { houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { hold, type Operation, release, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { format } from '#kernel/money/money.ts';
import type { BankWithdrawal } from './store.ts';

type Posted = Pick<
  BankWithdrawal,
  'our_reference' | 'account_id' | 'currency' | 'amount' | 'fee' | 'client_id'
>;

const metaOf = ({ our_reference, client_id }: Posted) => ({ hold: our_reference, client_id });

/** Sets amount and fee aside, last in the transaction. INSUFFICIENT_BALANCE says what there is and what it takes. */
export async function holdWithdrawal(tx: Db, row: Posted): Promise<void> {
  const { our_reference, account_id, amount, fee, currency } = row;
  const required = amount + fee;
  const legs = hold(account_id, required);
  const key = `withdrawal:${our_reference}:hold`;
  try {
    await postWithin(tx, { key, kind: 'withdrawal-hold', legs, meta: metaOf(row) });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_BALANCE') throw error;
    const { available } = await balanceOf(tx, account_id);
    const text = (units: bigint) => format({ asset: currency, units });
    throw fail('INSUFFICIENT_BALANCE', 'Insufficient balance', {
      details: { available: text(available), required: text(required), currency },
    });
  }
}

/** It ends without the bank: all of it is free again. */
export const withdrawalRelease = (row: Posted): Operation => ({
  key: `withdrawal:${row.our_reference}:release`,
  kind: 'withdrawal-release',
  legs: release(row.account_id, row.amount + row.fee),
  meta: metaOf(row),
});

/** The bank has the amount, the platform the fee. */
export async function withdrawalPaid(tx: Db, row: Posted): Promise<Operation> {
  const { account_id: account, currency, amount, fee, our_reference } = row;
  const { paying, fees } = await accountsOf(tx, row);
  const all = amount + fee;
  return {
    key: `withdrawal:${our_reference}`,
    kind: 'withdrawal',
    legs: [
      { account, amount: -all, held: -all },
      { account: paying, amount },
      ...(fee > 0n ? [{ account: fees, amount: fee }] : []),
    ],
    meta: { ...metaOf(row), payout: our_reference, currency },
  };
}

/** The bank has sent it back; the fee is not given back. */
export async function withdrawalReturned(tx: Db, row: Posted): Promise<Operation> {
  const { paying } = await accountsOf(tx, row);
  return {
    key: `withdrawal:${row.our_reference}:returned`,
    kind: 'withdrawal-returned',
    legs: transfer(paying, row.account_id, row.amount),
    meta: { payout: row.our_reference, client_id: row.client_id },
  };
}

const accountsOf = (tx: Db, { currency }: Posted) =>
  houseAccountsOf(tx, {
    paying: [payoutHouse(currency), currency],
    fees: ['withdrawal-fees', currency],
  });
