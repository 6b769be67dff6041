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

/** Opened once, before the first transaction that needs them. */
export function accountsIn(db: Db): () => Promise<Accounts> {
  let opening: Promise<Accounts> | undefined;
  return () => {
    opening ??= open(db).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

async function open(db: Db): Promise<Accounts> {
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
