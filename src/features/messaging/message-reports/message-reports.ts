import { applyReport } from '#features/messaging/messages/messages.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineInbox } from '#kernel/effects/inbox.ts';
import type { Feature } from '#kernel/feature.ts';
import type { DeliveryReport } from '#providers/messages/port.ts';
import { MESSAGE_REPORTS_WORDS } from './reference.ts';
import { type ReportDeps, reportRoutes, smsReportRoute } from './routes.ts';

/** Providers repeat a webhook for a week at most. */
const KEPT_MS = 8 * 86_400_000;

export interface MessageReporting {
  /** Takes the reports of a genuine webhook, at whichever address it came; answers how many. */
  receiveReports(tx: Db, raw: Uint8Array): Promise<number>;
}

const reportInbox = (source: string) =>
  defineInbox<DeliveryReport>({
    source,
    keptMs: KEPT_MS,
    handle: (tx, report, { receivedAt }) => applyReport(tx, report, receivedAt),
  });

/** Hears what became of messages that a provider has taken. */
export function createMessageReports(deps: ReportDeps): Feature & MessageReporting {
  const inbox = reportInbox('whatsapp');
  const ofSms = reportInbox('sms');
  const receiveReports: MessageReporting['receiveReports'] = async (tx, raw) => {
    const reports = deps.whatsAppReports.read(raw);
    for (const report of reports) await deps.inboxes.receive(tx, inbox, report.name, report);
    return reports.length;
  };
  return {
    name: 'message-reports',
    reference: MESSAGE_REPORTS_WORDS,
    routes: [
      ...reportRoutes(deps, receiveReports),
      smsReportRoute(deps, (tx, report) => deps.inboxes.receive(tx, ofSms, report.name, report)),
    ],
    inboxes: [inbox, ofSms],
    receiveReports,
  };
}
