import type { VerifyDeps } from '#features/banking/recipients/recipients.ts';
import type { PayoutMemory } from '#features/fiat/payouts/payouts.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { CardTry, InvoiceDeps } from '../deps.ts';

/** With what gives money back to banks. */
export interface RefundDeps
  extends InvoiceDeps,
    Pick<Kernel, 'vault' | 'publicUrl'>,
    Pick<VerifyDeps, 'bankHost'> {
  readonly messages: Messages;
  readonly refunding: Machine<PayoutMemory>;
  readonly refundingCards: Machine<CardTry>;
}
