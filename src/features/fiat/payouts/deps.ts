import type { Kernel } from '#kernel/kernel.ts';
import type { BankHost } from '#providers/bank-host/port.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { PayoutPayer } from './payer.ts';
import type { PayoutRow } from './payout-store.ts';

export interface PayoutDeps extends Pick<Kernel, 'db' | 'config' | 'log' | 'inboxes'> {
  readonly gateway: Gateway;
  readonly bankHost?: BankHost;
  payerOf(payout: Pick<PayoutRow, 'payer'>): PayoutPayer;
}
