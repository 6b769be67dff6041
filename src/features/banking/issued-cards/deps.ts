import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { CardIssuing } from '#providers/issuing/port.ts';

export interface IssuedCardDeps extends Pick<Kernel, 'clock' | 'db' | 'effects' | 'vault'> {
  readonly issuing: CardIssuing;
  readonly messages: Messages;
}
