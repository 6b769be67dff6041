import { applyReport } from '#features/messaging/messages/messages.ts';
import { defineInbox } from '#kernel/effects/inbox.ts';
import type { Feature } from '#kernel/feature.ts';
import type { DeliveryReport } from '#providers/messages/port.ts';
import { MESSAGE_REPORTS_WORDS } from './reference.ts';
import { type ReportDeps, reportRoutes } from './routes.ts';

/** Providers repeat a webhook for a week at most. */
const KEPT_MS = 8 * 86_400_000;

/** Hears what became of messages that a provider has taken. */
export function createMessageReports(deps: ReportDeps): Feature {
  const inbox = defineInbox<DeliveryReport>({
    source: 'whatsapp',
    keptMs: KEPT_MS,
    handle: (tx, report, { receivedAt }) => applyReport(tx, report, receivedAt),
  });
  return {
    name: 'message-reports',
    reference: MESSAGE_REPORTS_WORDS,
    routes: reportRoutes(deps, inbox),
    inboxes: [inbox],
  };
}
