import type { Fiat, FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import {
  endPromise,
  type QuotedTrade,
  quotedFee,
  quotedFiat,
  quotedTrade,
  usedQuote,
  useQuote,
} from '#features/fiat/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { format, type Money } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { type BatchItem, quoteOfItems } from './items-store.ts';
import type { Funding, PaymentBatch } from './store.ts';

/** By which a batch pays in another currency than its wallet's, in whole units. */
export interface BatchQuote {
  readonly quote_id: string;
  /** What arrives. */
  readonly currency: Fiat;
  readonly sells: bigint;
  readonly buys: bigint;
  readonly fee: bigint;
}

/** What that quote of the wallet's owner promises. Throws NOT_FOUND and QUOTE_MISMATCH. */
export async function batchQuote(
  db: Db,
  { user_id, currency: from }: Pick<FiatWallet, 'user_id' | 'currency'>,
  { quote_id, funding }: { readonly quote_id: string; readonly funding: Funding },
): Promise<BatchQuote> {
  if (funding === 'per_item')
    throw wrongField('quote_id', 'holds for the whole: funding has to be at_approval');
  const trade = await quotedTrade(db, { quote_id, user_id, from });
  const { sold, bought } = trade;
  const currency = quotedFiat(bought);
  return { quote_id, currency, sells: sold.units, buys: bought.units, fee: quotedFee(trade) };
}

/** What one line after the other takes of a quote, for what it pays: all of them together take all that it sells. */
export function sharesOfQuote({ sells, buys, fee }: BatchQuote) {
  let [paid, taken, charged] = [0n, 0n, 0n];
  return (units: bigint): { readonly amount: bigint; readonly fee: bigint } => {
    paid += units;
    const share = { amount: (sells * paid) / buys - taken, fee: (fee * paid) / buys - charged };
    taken += share.amount;
    charged += share.fee;
    return share;
  };
}

/** Throws QUOTE_MISMATCH where payments come to another sum than their quote buys. */
export function requireQuoted({ currency: asset, buys }: BatchQuote, units: bigint): void {
  if (units === buys) return;
  const [quoted, total] = [format({ asset, units: buys }), format({ asset, units })];
  throw fail('QUOTE_MISMATCH', `The quote buys ${quoted} ${asset}, the payments come to ${total}`, {
    details: { field: 'to_amount', quoted, total },
    hint: 'Ask for a quote whose to_amount is what all payments come to.',
  });
}

/** Uses the quote of a batch up, in the transaction that holds its money. Throws the refusals of quotes. */
export async function useBatchQuote(
  tx: Db,
  { quote_id, user_id, our_reference: used_by, total, received_total, ...of }: PaymentBatch,
): Promise<void> {
  if (quote_id === null || of.received_currency === null) return;
  const pays = { from: of.currency, to: of.received_currency };
  const units = { sells: total, buys: received_total ?? 0n };
  await useQuote(tx, { quote_id, user_id, used_by, ...pays, ...units });
}

/** Its payments are over: the platform's position counts what is left of the quote as promised no longer. */
export async function endBatchQuote(
  tx: Db,
  { quote_id }: Pick<PaymentBatch, 'quote_id'>,
): Promise<void> {
  if (quote_id !== null) await endPromise(tx, quote_id);
}

/** The trade that a payment is a part of; undefined where it arrives in the wallet's currency. */
export async function tradeOfItem(tx: Db, item: BatchItem): Promise<QuotedTrade | undefined> {
  if (item.received_currency === null) return undefined;
  const { batch_id, user_id } = item;
  const quote_id = await quoteOfItems(tx, batch_id);
  return usedQuote(tx, { quote_id, user_id, used_by: objectId('bat', batch_id) });
}

/** What arrives of a payment. */
export const receivedOfItem = ({
  currency,
  amount,
  received_currency,
  received_amount,
}: Pick<
  BatchItem,
  'currency' | 'amount' | 'received_currency' | 'received_amount'
>): Money<Fiat> => ({
  asset: received_currency ?? currency,
  units: received_amount ?? amount,
});
