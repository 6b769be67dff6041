import { houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';

/** The house's accounts of a conversion. They are negative by what others hold for us. */
const HOUSE = {
  /** At the gateway. */
  gateway: ['gateway', 'IDR'],
  /** Between the gateway and the exchange. */
  transit: ['exchange-transit', 'IDR'],
  /** At the exchange. */
  exchangeIdr: ['exchange', 'IDR'],
  exchangeUsdc: ['exchange', 'USDC'],
  /** Owed to users. */
  owedIdr: ['exchange-owed', 'IDR'],
  owedUsdc: ['exchange-owed', 'USDC'],
} as const;

export type Accounts = Readonly<Record<keyof typeof HOUSE, number>>;

export const conversionAccounts = (db: Db): Promise<Accounts> => houseAccountsOf(db, HOUSE);
