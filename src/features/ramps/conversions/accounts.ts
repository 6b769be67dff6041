import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';

/** The house's accounts that a conversion moves. What others hold for us is negative there. */
export interface Accounts {
  /** At the gateway. */
  readonly gateway: number;
  /** Between the gateway and the exchange. */
  readonly transit: number;
  /** At the exchange. */
  readonly exchangeIdr: number;
  readonly exchangeUsdc: number;
  /** On its way for users. */
  readonly owedIdr: number;
  readonly owedUsdc: number;
}

/** By whichever connection is at hand: a transaction must not wait for another one. */
export async function conversionAccounts(db: Db): Promise<Accounts> {
  const idr = (purpose: string) => openAccount(db, houseAccount(purpose, 'IDR'));
  const usdc = (purpose: string) => openAccount(db, houseAccount(purpose, 'USDC'));
  return {
    gateway: await idr('gateway'),
    transit: await idr('exchange-transit'),
    exchangeIdr: await idr('exchange'),
    exchangeUsdc: await usdc('exchange'),
    owedIdr: await idr('exchange-owed'),
    owedUsdc: await usdc('exchange-owed'),
  };
}
