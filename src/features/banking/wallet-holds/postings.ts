import { walletFees } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import type { Db } from '#kernel/db/db.ts';
import { hold, type Leg, type Operation, release } from '#kernel/ledger/ledger.ts';
import type { WalletHold } from './store.ts';

type Held = Pick<WalletHold, 'object_id' | 'account_id' | 'amount' | 'fee'>;
const nameOf = ({ object_id }: Pick<Held, 'object_id'>) => `wallet-hold:${object_id}`;

export const walletHolding = (of: Held): Operation => ({
  key: `${nameOf(of)}:held`,
  kind: 'wallet-hold',
  legs: hold(of.account_id, of.amount + of.fee),
  meta: { hold: nameOf(of) },
});

/** What is still set aside, its fee included. */
const heldNow = ({ amount, fee, captured, fee_captured }: WalletHold): bigint =>
  amount - captured + fee - fee_captured;

/** Frees what is left. */
export const walletHoldRelease = (of: WalletHold): Operation => ({
  key: `${nameOf(of)}:released`,
  kind: 'wallet-hold-release',
  legs: release(of.account_id, heldNow(of)),
  meta: { hold: nameOf(of) },
});

/** The fee for what was taken in all: in proportion, rounded down until all of it was taken. */
export const holdFeeFor = ({ amount, fee }: Held, captured: bigint): bigint =>
  (fee * captured) / amount;

/** Pays the payee what it was before less than now; a final one frees the rest. */
export async function walletHoldCapture(
  tx: Db,
  before: WalletHold,
  after: WalletHold,
): Promise<Operation> {
  const taken = after.captured - before.captured;
  const fee = after.fee_captured - before.fee_captured;
  const freed = after.status === 'CAPTURED' ? heldNow(before) : taken + fee;
  const legs: Leg[] = [
    { account: before.account_id, amount: -(taken + fee), held: -freed },
    { account: before.to_account_id, amount: taken },
  ];
  if (fee > 0n) legs.push({ account: await walletFees(tx, before.currency), amount: fee });
  const key = `${nameOf(before)}:${after.captures}`;
  return { key, kind: 'wallet-hold-capture', legs, meta: { hold: nameOf(before) } };
}
