import type { Payouts } from '#features/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Effects } from '#kernel/effects/effects.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Exchange } from '#providers/exchange/port.ts';
import type { BankAccount, Gateway } from '#providers/gateway/port.ts';
import type { Accounts } from './accounts.ts';

/** What was asked of the gateway and is not booked yet, in units of IDR. */
export interface UnderWay {
  /** Pay-outs that it may have taken off already. */
  readonly goingOut: bigint;
  /** Payments that may have been made already. */
  readonly comingIn: bigint;
}

export type AskUnderWay = (db: Db) => Promise<UnderWay>;

/** What every step of a job stands on. */
export interface ConversionDeps extends Pick<Kernel, 'db' | 'clock' | 'log'> {
  readonly effects: Pick<Effects, 'begin' | 'beginAll' | 'drive'>;
  readonly gateway: Gateway;
  readonly payouts: Pick<Payouts, 'find' | 'look'>;
  readonly exchange: Exchange;
  readonly accounts: () => Promise<Accounts>;
  /** Where the exchange takes rupiah. */
  readonly bank: BankAccount;
  /** Whether its settings are there. */
  readonly isExchangeReady: boolean;
  /** Units of IDR. */
  readonly tolerance: bigint;
  readonly underWay: readonly AskUnderWay[];
}
