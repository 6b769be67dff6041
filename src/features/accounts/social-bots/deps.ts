import type { SocialClaim } from '#features/accounts/rewards/rewards.ts';
import type { MessageReporting } from '#features/messaging/message-reports/message-reports.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ChatBots, MessageReports } from '#providers/messages/port.ts';

export type SocialBotDeps = Pick<Kernel, 'db' | 'clock' | 'vault' | 'inboxes' | 'log'> & {
  readonly messages: Messages;
  readonly chatBots: ChatBots;
  readonly whatsAppReports: MessageReports;
  readonly messageReports: MessageReporting;
  readonly claim: SocialClaim;
};
