import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import type { VerificationType } from '#providers/identity/port.ts';
import type { VerificationStatus } from './statuses.ts';
import {
  type ApplicantFacts,
  addHistory,
  lockSubject,
  noteApplicant,
  putVerification,
  readVerification,
  type Subject,
} from './store.ts';

export interface Decision {
  readonly user_id: number;
  readonly kind: VerificationType;
  readonly status: VerificationStatus;
  /** The source, for the history: `webhook`, `sync`. */
  readonly source: string;
  /** The time of the decision. One older than the present decision changes nothing. */
  readonly at: Date;
  readonly applicant?: ApplicantFacts;
}

/** The result of a decision. */
export type VerificationVerdict = 'changed' | 'unchanged' | 'superseded' | 'unknown_user';

/** Further effects of a decision, in the same transaction. */
export interface DecisionHooks {
  onKyc(tx: Db, user_id: number, status: VerificationStatus): Promise<void>;
  /** Runs at each approval, also of an approved user: it must bear repetition. */
  onApproved(tx: Db, user_id: number): Promise<void>;
  /** The company that an admin of that client represents. */
  onCompany(tx: Db, client_id: number, status: VerificationStatus): Promise<void>;
}

export interface Decisions {
  /** Applies a decision about a user (contract: States), all of it or nothing. */
  decide(db: Db, decision: Decision): Promise<VerificationVerdict>;
  /** Records that a verification has begun: PENDING, unless it has a status already. */
  begin(db: Db, begun: Omit<Decision, 'status' | 'at'>): Promise<VerificationVerdict>;
}

/** The only place where the identity provider's answers become statuses of ours. */
export function createDecisions(hooks: DecisionHooks): Decisions {
  return {
    decide: (db, decision) =>
      transact(db, async (tx) => {
        const { user_id, kind, status, at, applicant } = decision;
        const subject = await lockSubject(tx, user_id);
        if (!subject) return 'unknown_user';
        const before = await readVerification(tx, user_id, kind);
        const changed = before?.status !== status;
        if (before?.decided_at && new Date(before.decided_at) > at)
          return changed ? 'superseded' : 'unchanged';
        await putVerification(tx, { user_id, kind, status, at, applicant, changed });
        if (!changed) {
          // A user whom people approved has not got what an approved individual gets.
          if (kind === 'KYC' && status === 'APPROVED') await hooks.onApproved(tx, user_id);
          return 'unchanged';
        }
        await addHistory(tx, decision);
        await follow(hooks, tx, { subject, decision, before: before?.status });
        return 'changed';
      }),
    begin: (db, { user_id, kind, source, applicant }) =>
      transact(db, async (tx) => {
        if (!(await lockSubject(tx, user_id))) return 'unknown_user';
        if (await readVerification(tx, user_id, kind)) {
          if (applicant) await noteApplicant(tx, user_id, kind, applicant);
          return 'unchanged';
        }
        const status = 'PENDING';
        const begun = { user_id, kind, status, applicant } as const;
        await putVerification(tx, { ...begun, at: undefined, changed: true });
        await addHistory(tx, { user_id, kind, status, source });
        return 'changed';
      }),
  };
}

interface Change {
  readonly subject: Subject;
  readonly decision: Decision;
  readonly before: string | undefined;
}

/** The consequences of a change of status (contract: States, Events). */
async function follow(
  hooks: DecisionHooks,
  tx: Db,
  { subject: { user_id, client_id, role }, decision, before }: Change,
): Promise<void> {
  const { kind, status, source } = decision;
  await logActivity(tx, {
    action: kind === 'KYC' ? 'EKYC_STATUS_CHANGED' : 'EKYB_STATUS_CHANGED',
    actor: null,
    client_id,
    subject_user_id: user_id,
    details: { from: before ?? null, to: status, source },
  });
  if (kind === 'KYB') {
    // A client's admins represent its company: a user's own firm says nothing about the client.
    if (role === 'admin') await hooks.onCompany(tx, client_id, status);
    return;
  }
  await hooks.onKyc(tx, user_id, status);
  if (status === 'APPROVED') await hooks.onApproved(tx, user_id);
}
