import type { Db } from '#kernel/db/db.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { type Spendable, spendableOf } from '#kernel/money/shown-balance.ts';
import type { ExchangeBalances } from '#providers/exchange/port.ts';
import { conversionAccounts } from './accounts.ts';
import { hasOpenOrders } from './order-store.ts';

/** The exchange's balances, and their free part. */
export interface ExchangeFunds extends ExchangeBalances {
  readonly spendable: { readonly idr: Spendable; readonly usdc: Spendable };
}

/** The part of the exchange's balances that belongs to jobs. */
export interface Promised extends ExchangeBalances {
  /** An order is open: its USDC may be in the balance already, and is not booked. */
  readonly isTrading: boolean;
}

/** By the ledger. */
export async function readPromised(db: Db): Promise<Promised> {
  const house = await conversionAccounts(db);
  const isTrading = await hasOpenOrders(db);
  const [idr, usdc] = [
    await balanceOf(db, house.exchangeIdr),
    await balanceOf(db, house.exchangeUsdc),
  ];
  return { idr: -idr.posted, usdc: -usdc.posted, isTrading };
}

/**
 * The free part of balances that were read between the two: the larger promise counts for each asset, since a
 * confirmation, trade or withdrawal meanwhile is in one of the two only.
 */
export function fundsOf(
  { idr, usdc }: ExchangeBalances,
  before: Promised,
  after: Promised,
): ExchangeFunds {
  const more = (asset: keyof ExchangeBalances) => most(before[asset], after[asset]);
  const isTrading = before.isTrading || after.isTrading;
  return {
    idr,
    usdc,
    spendable: {
      idr: spendableOf(idr, more('idr')),
      usdc: spendableOf(usdc, isTrading ? usdc : more('usdc')),
    },
  };
}

const most = (a: bigint, b: bigint): bigint => (b > a ? b : a);

/** The jobs own all of their share. */
export const allPromised = ({ idr, usdc }: ExchangeBalances): ExchangeFunds => ({
  idr,
  usdc,
  spendable: { idr: spendableOf(idr, idr), usdc: spendableOf(usdc, usdc) },
});
