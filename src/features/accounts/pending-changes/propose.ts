import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { Id, Nullable, Timestamp } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newToken } from '#kernel/secrets/token.ts';
import { emitChange } from './events.ts';
import {
  type ChangeKind,
  clientOf,
  countOthers,
  forgetChanges,
  isProposed,
  type NewChange,
  type PendingChange,
  replaceChange,
} from './store.ts';
import { proposedMail } from './words.ts';

/** A caller's request in another user's name. The caller has locked the user's row. */
export interface Proposal {
  readonly user: { readonly user_id: number; readonly client_id: number; readonly email: string };
  readonly kind: ChangeKind;
  /** Its subject: an address, an account of the external provider, a wallet. */
  readonly subject: string;
  /** The account of the external provider that is no log-in before the decision. */
  readonly ext_user_id?: string;
  /** The data to apply and explain it; never a secret. */
  readonly details?: Readonly<Record<string, string | null>>;
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** The reason, for the audit log. */
  readonly reason?: string;
}

/** Stores admins' requests in a user's name until the user decides (decisions: Accounts). */
export interface PendingChanges {
  /** Waits 24 hours for the user's consent. LIMIT_EXCEEDED and RATE_LIMITED protect mailboxes. */
  propose(tx: Db, proposal: Proposal): Promise<PendingChange>;
  /** An operator's order: takes effect after 24 hours, unless the user objects. */
  order(tx: Db, proposal: Proposal): Promise<PendingChange>;
  /** Whether an account of the external provider waits for a user's consent. */
  isPending(db: Db, ext_user_id: string): Promise<boolean>;
  /** Of the user's address, or of the proposals alone. */
  forget(tx: Db, user_id: number, which: 'all' | 'proposals'): Promise<void>;
}

/** The data of a change, pending or not. */
export type ChangeFacts = Pick<
  PendingChange,
  'user_id' | 'kind' | 'subject' | 'ext_user_id' | 'details'
>;

/** Applies a kind of change. */
export interface Applier {
  /** Throws the present obstacles, while the requester can still do something about them. */
  check(tx: Db, change: ChangeFacts): Promise<void>;
  /** Takes the locks that come before the user's row. */
  lock?(tx: Db, change: ChangeFacts): Promise<void>;
  /** With the user's row locked. Throws the obstacles of that moment. */
  apply(tx: Db, change: ChangeFacts): Promise<void>;
}
export type Appliers = Readonly<Record<ChangeKind, Applier>>;

/** As replies show it. */
export const PendingChangeReply = named('PendingChangeProposed', {
  change_id: Id,
  kind: Type.String(),
  subject: Type.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
  takes_effect_at: Nullable(Timestamp),
});

export const CONFIRM_PAGE = '/confirm-change';
const DELAY_MS = 24 * 3600_000;
/** An order outlives its time, so that a service that was down still applies it. */
const KEPT_MS = 7 * 24 * 3600_000;
const OPEN_MAX = 5;

type Deps = Pick<Kernel, 'clock' | 'publicUrl'> & {
  readonly messages: Messages;
};

export function createProposals(deps: Deps): PendingChanges {
  const { clock } = deps;
  const wait = async (tx: Db, proposal: Proposal, ordered: boolean) => {
    const now = clock.now().getTime();
    const change = await store(tx, proposal, {
      created_at: new Date(now),
      expires_at: new Date(now + (ordered ? KEPT_MS : DELAY_MS)),
      takes_effect_at: ordered ? new Date(now + DELAY_MS) : null,
    });
    await mail(deps, tx, proposal, change);
    await log(tx, ordered ? 'CHANGE_ORDERED' : 'CHANGE_PROPOSED', proposal, change.row);
    emitChange(tx, ordered ? 'ordered' : 'proposed', change.row, proposal.user.client_id);
    return change.row;
  };
  return {
    propose: (tx, proposal) => wait(tx, proposal, false),
    order: (tx, proposal) => wait(tx, proposal, true),
    isPending: (db, ext_user_id) => isProposed(db, ext_user_id, clock.now()),
    async forget(tx, user_id, which) {
      const gone = await forgetChanges(tx, user_id, which);
      if (gone.length === 0) return;
      const client_id = await clientOf(tx, user_id);
      for (const change of gone) emitChange(tx, 'dropped', change, client_id);
    },
  };
}

interface Stored {
  readonly row: PendingChange;
  readonly token: string;
}
type Times = Pick<NewChange, 'created_at' | 'expires_at' | 'takes_effect_at'>;

async function store(tx: Db, proposal: Proposal, times: Times): Promise<Stored> {
  const { user, kind, subject, ext_user_id = null, details = {}, caller } = proposal;
  const { token, digest } = newToken();
  const change = { user_id: user.user_id, kind, subject, ext_user_id, details, digest };
  const whole = { ...change, proposed_by: caller.user_id, ...times };
  if ((await countOthers(tx, whole)) >= OPEN_MAX)
    throw fail('LIMIT_EXCEEDED', `At most ${OPEN_MAX} changes of a user may wait at a time`);
  return { row: await replaceChange(tx, whole), token };
}

/** To the user's present address, which makes the answer theirs. */
async function mail(
  { messages, publicUrl }: Deps,
  tx: Db,
  { user: { user_id, email }, caller, request }: Proposal,
  { row, token }: Stored,
): Promise<void> {
  await messages.send(tx, requesterOf(caller, request), {
    kind: row.takes_effect_at === null ? 'invitation' : 'notice',
    channel: 'email',
    to: email,
    purpose: 'pending-change',
    user_id,
    words: proposedMail(row, `${publicUrl()}${CONFIRM_PAGE}?token=${token}`),
    validUntil: new Date(row.expires_at),
  });
}

const log = (
  tx: Db,
  action: string,
  { user, caller, reason, request }: Proposal,
  { change_id, kind, subject }: PendingChange,
) =>
  logActivity(tx, {
    action,
    actor: caller,
    client_id: user.client_id,
    subject_user_id: user.user_id,
    details: { change_id, kind, subject, ...(reason && { reason }) },
    request,
  });
