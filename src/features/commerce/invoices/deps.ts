import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

export interface InvoiceDeps extends Pick<Kernel, 'clock' | 'db' | 'policies'> {
  /** What policies value an amount by. */
  readonly fx: ExchangeRates;
}
