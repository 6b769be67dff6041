import type { Destinations } from '#chains/destinations.ts';
import type { Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Effects } from '#kernel/effects/effects.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import type { ExchangePort } from '#providers/exchange/port.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { BankAccount, Gateway } from '#providers/gateway/port.ts';

/** The books of payments at the gateway. */
export interface PaymentBooks {
  /** The unbooked ones of those lines, by name, and whether each pays its purchase. */
  unbooked(lines: readonly BookLine[]): Promise<ReadonlyMap<string, boolean>>;
  /** Books payments for those references as if the gateway had called back. */
  followUp(references: readonly string[]): Promise<void>;
}

/** Dependencies of every step of a job. */
export interface ConversionDeps
  extends Pick<Kernel, 'db' | 'clock' | 'log' | 'quotas' | 'config' | 'prices' | 'policies'> {
  readonly effects: Pick<Effects, 'begin' | 'beginAll' | 'drive'>;
  readonly gateway: Gateway;
  readonly payouts: Pick<Payouts, 'find' | 'poll' | 'bookPaid'>;
  readonly exchange: ExchangePort;
  /** The forbidden destinations on EVM chains. */
  readonly evm: Destinations;
  /** The exchange's account for rupiah. */
  readonly bank: BankAccount;
  /** Whether the exchange is configured. */
  readonly isExchangeReady: boolean;
  /** Units of IDR. */
  readonly tolerance: bigint;
  readonly payments: PaymentBooks;
  /** Reference rates. */
  readonly fx: ExchangeRates;
  /** How much worse than the reference rate an order may be, in hundredths of a percent. */
  readonly slippagePoints: bigint;
}
