import type { Destinations } from '#chains/destinations.ts';
import type { Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Effects } from '#kernel/effects/effects.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import type { ExchangePort } from '#providers/exchange/port.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { BankAccount, Gateway } from '#providers/gateway/port.ts';

/** Those who book what is paid in at the gateway. */
export interface PaymentBooks {
  /** Which of those lines are theirs, and not booked, by their names: whether they pay what they came for. */
  unbooked(lines: readonly BookLine[]): Promise<ReadonlyMap<string, boolean>>;
  /** Money has come in for them: it is booked as if the gateway had called back. */
  followUp(references: readonly string[]): Promise<void>;
}

/** What every step of a job stands on. */
export interface ConversionDeps
  extends Pick<Kernel, 'db' | 'clock' | 'log' | 'quotas' | 'config' | 'prices'> {
  readonly effects: Pick<Effects, 'begin' | 'beginAll' | 'drive'>;
  readonly gateway: Gateway;
  readonly payouts: Pick<Payouts, 'find' | 'look' | 'bookPaid'>;
  readonly exchange: ExchangePort;
  /** Where nothing is sent on the chains of the EVM. */
  readonly evm: Destinations;
  /** Where the exchange takes rupiah. */
  readonly bank: BankAccount;
  /** Whether its settings are there. */
  readonly isExchangeReady: boolean;
  /** Units of IDR. */
  readonly tolerance: bigint;
  readonly payments: PaymentBooks;
  /** What rupiah are worth elsewhere. */
  readonly fx: Pick<ExchangeRates, 'rate'>;
  /** How much worse an order may be than that, in hundredths of a percent. */
  readonly slippagePoints: bigint;
}
