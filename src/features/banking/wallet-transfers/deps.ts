import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

export interface TransferDeps
  extends Pick<Kernel, 'clock' | 'config' | 'db' | 'jobs' | 'policies' | 'publicUrl' | 'quotas'> {
  readonly fx: ExchangeRates;
  readonly messages: Messages;
}
