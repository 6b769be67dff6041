import type { createApprovals } from '#features/accounts/approvals/approvals.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { createAdjustments } from '#features/operator/adjustments/adjustments.ts';
import { createBackoffice } from '#features/operator/backoffice/backoffice.ts';
import { createConsole } from '#features/operator/console/console.ts';
import { createLedgerCheck } from '#features/operator/ledger-check/ledger-check.ts';
import { createReconciliation } from '#features/operator/reconciliation/reconciliation.ts';
import { createRetention } from '#features/operator/retention/retention.ts';
import { createSuspensions } from '#features/operator/suspensions/suspensions.ts';
import { createTeam } from '#features/operator/team/team.ts';
import type { Composition, Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { LoginGuards } from '../login-guards.ts';
import type { backOfficeSources } from '../operate/back-office-sources.ts';
import { versionOf } from '../operate/version.ts';

interface Given {
  readonly messages: Messages;
  readonly approvals: ReturnType<typeof createApprovals>;
  readonly sources: ReturnType<typeof backOfficeSources>;
  composition(): Composition;
}

/** What the people see and do who run the service, and the teams of its clients. */
export const operatorFeatures = (
  access: Kernel & LoginGuards,
  { messages, approvals, sources, composition }: Given,
): Feature[] => [
  createConsole({ ...access, version: versionOf(access.config).version }),
  createBackoffice({ ...access, ...sources }),
  createSuspensions({ ...access, approvals }),
  createTeam({ ...access, approvals }),
  createAdjustments({ ...access, messages }),
  createReconciliation({ ...access, rails: () => composition().rails }),
  createLedgerCheck({ ...access, holds: () => composition().holds }),
  createRetention(access),
];
