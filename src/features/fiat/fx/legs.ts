import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, transfer } from '#kernel/ledger/ledger.ts';
import type { Money } from '#kernel/money/money.ts';

/**
 * The legs by which an account sells one asset and another gets what was bought for it. The house stands
 * in between with a position in each asset, so each asset sums to zero for itself, and what rounding
 * leaves is the house's.
 */
export async function exchangeLegs(
  tx: Db,
  trade: {
    readonly payer: number;
    readonly sold: Money;
    readonly payee: number;
    readonly bought: Money;
  },
): Promise<Leg[]> {
  const { payer, sold, payee, bought } = trade;
  if (sold.asset === bought.asset) return transfer(payer, payee, sold.units);
  const soldPosition = await openAccount(tx, houseAccount('fx', sold.asset));
  const boughtPosition = await openAccount(tx, houseAccount('fx', bought.asset));
  return [
    ...transfer(payer, soldPosition, sold.units),
    ...transfer(boughtPosition, payee, bought.units),
  ];
}
