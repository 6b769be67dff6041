import { walletFees } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { payoutHouse } from '#features/fiat/payouts/payouts.ts';
import { houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { hold, type Leg, type Operation, release, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import { objectId } from '#kernel/object-id.ts';
import type { BatchItem } from './items-store.ts';
import type { PaymentBatch } from './store.ts';

type Holder = Pick<
  PaymentBatch,
  'our_reference' | 'account_id' | 'currency' | 'client_id' | 'version'
>;

const metaOf = ({ our_reference, client_id }: Holder) => ({ hold: our_reference, client_id });

/** Sets money aside for a batch, last in the transaction. INSUFFICIENT_BALANCE says what there is and what it takes. */
export async function holdForBatch(
  tx: Db,
  batch: Holder,
  units: bigint,
  step: string,
): Promise<void> {
  const { account_id, currency: asset, our_reference } = batch;
  const operation = {
    key: `batch:${our_reference}:hold:${step}`,
    kind: 'batch-hold',
    legs: hold(account_id, units),
    meta: metaOf(batch),
  };
  await postPayment(tx, operation, { account_id, needed: { asset, units } });
}

/** Frees what is set aside and not paid, last in the transaction; each version of a batch does it once. */
export async function releaseOfBatch(tx: Db, batch: Holder, units: bigint): Promise<void> {
  if (units <= 0n) return;
  await postWithin(tx, {
    key: `batch:${batch.our_reference}:release:${batch.version}`,
    kind: 'batch-release',
    legs: release(batch.account_id, units),
    meta: metaOf(batch),
  });
}

/** The receiver has the amount, the platform the fee. */
export async function itemPaid(tx: Db, item: BatchItem, receiver?: number): Promise<Operation> {
  const { account_id: account, amount, fee, our_reference, client_id, currency } = item;
  const all = amount + fee;
  const legs: Leg[] = [
    { account, amount: -all, held: -all },
    { account: receiver ?? (await accountsOf(tx, item)).paying, amount },
  ];
  if (fee > 0n) {
    const fees = receiver === undefined ? (await accountsOf(tx, item)).fees : undefined;
    legs.push({ account: fees ?? (await walletFees(tx, currency)), amount: fee });
  }
  const hold = objectId('bat', item.batch_id);
  return {
    key: `batch-item:${our_reference}`,
    kind: 'batch-payment',
    legs,
    meta: { hold, client_id, payout: our_reference, currency },
  };
}

/** The bank has sent it back; the fee is not given back. */
export async function itemReturned(tx: Db, item: BatchItem): Promise<Operation> {
  const { paying } = await accountsOf(tx, item);
  return {
    key: `batch-item:${item.our_reference}:returned`,
    kind: 'batch-payment-returned',
    legs: transfer(paying, item.account_id, item.amount),
    meta: { payout: item.our_reference, client_id: item.client_id },
  };
}

const accountsOf = (tx: Db, { currency }: BatchItem) =>
  houseAccountsOf(tx, {
    paying: [payoutHouse(currency), currency],
    fees: ['withdrawal-fees', currency],
  });
