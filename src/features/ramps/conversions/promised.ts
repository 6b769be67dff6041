import type { Db } from '#kernel/db/db.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { beside, type Spendable } from '#kernel/money/shown-balance.ts';
import type { ExchangeBalances } from '#providers/exchange/port.ts';
import { conversionAccounts } from './accounts.ts';
import { hasOpenOrders } from './order-store.ts';

/** The exchange's balances, and what of them is free. */
export interface ExchangeFunds extends ExchangeBalances {
  readonly spendable: { readonly idr: Spendable; readonly usdc: Spendable };
}

/** What of the exchange's balances belongs to jobs. */
export interface Promised extends ExchangeBalances {
  /** An order is open: what it has bought may be there already, and is not booked. */
  readonly isTrading: boolean;
}

/** As the ledger has it. */
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
 * What is free of balances that were read between the two: of each the more that was promised, since what is
 * confirmed, traded and withdrawn meanwhile is in one of them only.
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
      idr: beside(idr, more('idr')),
      usdc: beside(usdc, isTrading ? usdc : more('usdc')),
    },
  };
}

const most = (a: bigint, b: bigint): bigint => (b > a ? b : a);

/** The share of jobs is theirs, all of it. */
export const allPromised = ({ idr, usdc }: ExchangeBalances): ExchangeFunds => ({
  idr,
  usdc,
  spendable: { idr: beside(idr, idr), usdc: beside(usdc, usdc) },
});
