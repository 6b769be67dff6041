import { walletFees } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { quotedLegs } from '#features/fiat/fx/fx.ts';
import { payoutHouse } from '#features/fiat/payouts/payouts.ts';
import { houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { hold, type Leg, type Operation, release, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import { objectId } from '#kernel/object-id.ts';
import type { BatchItem } from './items-store.ts';
import { receivedOfItem, tradeOfItem } from './quoted.ts';
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
  const { amount, fee, our_reference, client_id, currency, batch_id } = item;
  const key = `batch-item:${our_reference}`;
  const payee = receiver ?? (await payingHouse(tx, item));
  const fees = fee > 0n ? { account: await feesOf(tx, item, receiver), units: fee } : undefined;
  const trade = await tradeOfItem(tx, item);
  const part = { sold: amount, bought: receivedOfItem(item).units };
  const by = { payer: item.account_id, payee, fees, isHeld: true, reference: key, part };
  const legs = trade ? await quotedLegs(tx, trade, by) : plainLegs(item, payee, fees);
  const meta = { hold: objectId('bat', batch_id), client_id, payout: our_reference, currency };
  return { key, kind: 'batch-payment', legs, meta };
}

function plainLegs(
  { account_id: account, amount, fee }: BatchItem,
  payee: number,
  fees?: Fees,
): Leg[] {
  const all = amount + fee;
  return [
    { account, amount: -all, held: -all },
    { account: payee, amount },
    ...(fees ? [{ account: fees.account, amount: fees.units }] : []),
  ];
}

interface Fees {
  readonly account: number;
  readonly units: bigint;
}

/**
 * The bank has sent it back; the fee is not given back. What a quote has bought is not sold again without its owner: the
 * wallet of that currency gets it.
 */
export async function itemReturned(tx: Db, item: BatchItem): Promise<Operation> {
  const { asset, units } = receivedOfItem(item);
  const account =
    asset === item.currency
      ? item.account_id
      : (await openWallet(tx, item.user_id, asset)).wallet.account_id;
  return {
    key: `batch-item:${item.our_reference}:returned`,
    kind: 'batch-payment-returned',
    legs: transfer(await payingHouse(tx, item), account, units),
    meta: { payout: item.our_reference, client_id: item.client_id },
  };
}

async function payingHouse(tx: Db, item: BatchItem): Promise<number> {
  const { asset } = receivedOfItem(item);
  return (await houseAccountsOf(tx, { paying: [payoutHouse(asset), asset] })).paying;
}

async function feesOf(tx: Db, { currency }: BatchItem, receiver?: number): Promise<number> {
  if (receiver !== undefined) return walletFees(tx, currency);
  return (await houseAccountsOf(tx, { fees: ['withdrawal-fees', currency] })).fees;
}
