import { walletFees } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type QuotedTrade, quotedLegs, usedQuote } from '#features/fiat/fx/fx.ts';
import { payoutHouse } from '#features/fiat/payouts/payouts.ts';
import { houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { hold, type Operation, release, transfer } from '#kernel/ledger/ledger.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import { receiverOf } from './receiver.ts';
import { type BankWithdrawal, receivedOf } from './store.ts';

type Posted = Pick<
  BankWithdrawal,
  | ('our_reference' | 'account_id' | 'currency' | 'amount' | 'fee' | 'client_id' | 'user_id')
  | ('quote_id' | 'received_currency' | 'received_amount' | 'to_wallet_id')
>;

const metaOf = ({ our_reference, client_id }: Posted) => ({ hold: our_reference, client_id });

/** Sets amount and fee aside, last in the transaction. INSUFFICIENT_BALANCE says what there is and what it takes. */
export async function holdWithdrawal(tx: Db, row: Posted): Promise<void> {
  const { our_reference, account_id, amount, fee, currency } = row;
  const needed = { asset: currency, units: amount + fee };
  const operation = {
    key: `withdrawal:${our_reference}:hold`,
    kind: 'withdrawal-hold',
    legs: hold(account_id, needed.units),
    meta: metaOf(row),
  };
  await postPayment(tx, operation, { account_id, needed });
}

/** It ends without the bank: all of it is free again. */
export const withdrawalRelease = (row: Posted): Operation => ({
  key: `withdrawal:${row.our_reference}:release`,
  kind: 'withdrawal-release',
  legs: release(row.account_id, row.amount + row.fee),
  meta: metaOf(row),
});

/** The bank, or the wallet, has what is paid, the platform the fee. */
export async function withdrawalPaid(tx: Db, row: Posted): Promise<Operation> {
  const { account_id: account, currency, amount, fee, our_reference } = row;
  const fees = await feesOf(tx, row);
  const payee = (await receiverOf(tx, row))?.account_id ?? (await payingHouse(tx, row));
  const key = `withdrawal:${our_reference}`;
  const all = amount + fee;
  const trade = await tradeOf(tx, row);
  const legs = trade
    ? await quotedLegs(tx, trade, {
        payer: account,
        payee,
        reference: key,
        fees: fee > 0n ? { account: fees, units: fee } : undefined,
        isHeld: true,
      })
    : [
        { account, amount: -all, held: -all },
        { account: payee, amount },
        ...(fee > 0n ? [{ account: fees, amount: fee }] : []),
      ];
  return {
    key,
    kind: 'withdrawal',
    legs,
    meta: { ...metaOf(row), payout: our_reference, currency },
  };
}

const tradeOf = async (
  tx: Db,
  { quote_id, user_id, our_reference: used_by }: Posted,
): Promise<QuotedTrade | undefined> =>
  quote_id === null ? undefined : usedQuote(tx, { quote_id, user_id, used_by });

/**
 * The bank has sent it back, to the wallet that paid; the fee is not given back. What a quote has bought is not sold
 * again without its owner: the wallet of that currency gets it.
 */
export async function withdrawalReturned(tx: Db, row: Posted): Promise<Operation> {
  const paying = await payingHouse(tx, row);
  const { asset, units } = receivedOf(row);
  const account =
    asset === row.currency
      ? row.account_id
      : (await openWallet(tx, row.user_id, asset)).wallet.account_id;
  return {
    key: `withdrawal:${row.our_reference}:returned`,
    kind: 'withdrawal-returned',
    legs: transfer(paying, account, units),
    meta: { payout: row.our_reference, client_id: row.client_id },
  };
}

async function payingHouse(tx: Db, row: Posted): Promise<number> {
  const { asset } = receivedOf(row);
  return (await houseAccountsOf(tx, { paying: [payoutHouse(asset), asset] })).paying;
}

async function feesOf(tx: Db, { currency, to_wallet_id }: Posted): Promise<number> {
  if (to_wallet_id !== null) return walletFees(tx, currency);
  return (await houseAccountsOf(tx, { fees: ['withdrawal-fees', currency] })).fees;
}
