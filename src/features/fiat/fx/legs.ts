import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, transfer } from '#kernel/ledger/ledger.ts';
import type { Money } from '#kernel/money/money.ts';

/**
 * The legs by which an account sells one asset and another account gets the asset bought. The house has a position in
 * each asset in between, so each asset sums to zero for itself, and the house keeps what rounding leaves.
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
