import { type TProperties, Type } from 'typebox';
import {
  type Appliers,
  type ChangeFacts,
  type ChangeKind,
  type PendingChange,
  PendingChangeReply,
  type PendingChanges,
} from '#features/accounts/pending-changes/pending-changes.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { decide } from '#kernel/access/attempts.ts';
import { type FreshProof, PROOF, type SentProof } from '#kernel/access/fresh-proof.ts';
import { type Requester, requesterOf } from '#kernel/access/requester.ts';
import { lockUserInScope, operatorOnly } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  at,
  endpoints,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import { Email, explained, Id, IdInput, Nullable, text } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { ADMIN_TEXTS } from './texts.ts';

export type LostAccessDeps = Pick<Kernel, 'config'> & {
  readonly messages: Messages;
  readonly changes: PendingChanges;
  readonly freshProof: FreshProof;
  readonly appliers: Pick<Appliers, 'email' | 'second-factor-removal'>;
};

const endpoint = endpoints(errorEnvelope);

const params = Type.Object({ user_id: IdInput });
const WHY = {
  reason: explained(text(500), 'Why, and how the person was recognised; for the audit log'),
  ...PROOF,
} satisfies TProperties;
const DONE = {
  message: Type.String(),
  user_id: Id,
  pending_change: Nullable(PendingChangeReply),
} satisfies TProperties;
const Changed = named('AccessChange', DONE);
const reply = { 200: Changed, 202: Changed };

/**
 * For users who have lost their second factor or address. Only admins of the operator may order it, with a reason;
 * out of mock mode it takes a day, in which the owner of the account can object.
 */
export const lostAccessRoutes = (deps: LostAccessDeps): Route[] => [
  endpoint('POST /admins/users/{user_id}/remove-second-factor', {
    name: 'admins.removeSecondFactor',
    team: 'people:approve',
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: [
      'USER_NOT_FOUND',
      'TWO_FACTOR_NOT_ENABLED',
      'INVALID_PASSWORD',
      'INVALID_CODE',
      'FRESH_LOGIN_REQUIRED',
      'LIMIT_EXCEEDED',
    ],
    summary: 'Removes a lost second factor, after a day; the operator only',
    params,
    body: Type.Object(WHY),
    reply,
    fault: 'Failed to remove the second factor',
    async handler({ caller, params: { user_id }, body, request, db }) {
      const kind = 'second-factor-removal';
      return present(await help(deps, db, { caller, user_id, kind, subject: '', body, request }));
    },
  }),

  endpoint('POST /admins/users/{user_id}/move-address', {
    name: 'admins.moveAddress',
    team: 'people:approve',
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: [
      'USER_NOT_FOUND',
      'EMAIL_IN_USE',
      'INVALID_PASSWORD',
      'INVALID_CODE',
      'FRESH_LOGIN_REQUIRED',
      'LIMIT_EXCEEDED',
    ],
    summary: 'Changes the e-mail address of a user who has lost it, after a day; the operator only',
    params,
    body: Type.Object({ email: Email, ...WHY }),
    example: { email: 'grace@example.com' },
    reply,
    fault: 'Failed to change the address',
    async handler({ caller, params: { user_id }, body, request, db }) {
      const subject = body.email;
      return present(
        await help(deps, db, { caller, user_id, kind: 'email', subject, body, request }),
      );
    },
  }),
];

interface Help {
  readonly caller: UserCaller;
  readonly user_id: number;
  readonly kind: Extract<ChangeKind, keyof LostAccessDeps['appliers']>;
  readonly subject: string;
  readonly body: SentProof & { readonly reason: string };
  readonly request: RequestFacts;
}

interface Helped {
  readonly user_id: number;
  readonly pending: PendingChange | null;
}

async function help(deps: LostAccessDeps, db: Db, wish: Help): Promise<Helped> {
  const { caller, user_id, body, request } = wish;
  const shown = await deps.freshProof.verify(db, { caller, request }, body);
  return decide(db, async (tx): Promise<Helped | AppError> => {
    const refusal = await shown(tx);
    if (refusal) return refusal;
    const user = await lockUserInScope(tx, {}, user_id);
    if (!user) throw fail('USER_NOT_FOUND', 'User not found');
    const pending = deps.config.MOCK_MODE
      ? await doNow(deps, tx, user, wish)
      : await order(deps, tx, user, wish);
    return { user_id, pending };
  });
}

type FoundUser = NonNullable<Awaited<ReturnType<typeof lockUserInScope>>>;

async function doNow({ appliers }: LostAccessDeps, tx: Db, user: FoundUser, wish: Help) {
  const { caller, kind, subject, body, request } = wish;
  await appliers[kind].apply(tx, factsOf(wish));
  await logActivity(tx, {
    action: 'CHANGE_ORDERED',
    actor: caller,
    client_id: user.client_id,
    subject_user_id: user.user_id,
    details: { kind, subject, reason: body.reason },
    request,
  });
  return null;
}

async function order(deps: LostAccessDeps, tx: Db, user: FoundUser, wish: Help) {
  const { caller, kind, subject, body, request } = wish;
  await deps.appliers[kind].check(tx, factsOf(wish));
  const { reason } = body;
  const pending = await deps.changes.order(tx, { user, kind, subject, caller, request, reason });
  if (kind === 'email') await mailNewAddress(deps, tx, requesterOf(caller, wish.request), pending);
  return pending;
}

const factsOf = ({ user_id, kind, subject }: Help): ChangeFacts => ({
  user_id,
  kind,
  subject,
  ext_user_id: null,
  details: {},
});

/** Mails every order to the old address; and to the new one, since it may be another person's. */
const mailNewAddress = (
  { messages }: LostAccessDeps,
  tx: Db,
  by: Requester,
  { user_id, subject: to }: PendingChange,
) =>
  messages.send(tx, by, {
    kind: 'notice',
    channel: 'email',
    to,
    purpose: 'pending-change',
    user_id,
    words: inEachLanguage(ADMIN_TEXTS, ({ newAddress }) => newAddress),
  });

const present = ({ user_id, pending: pending_change }: Helped) =>
  pending_change === null
    ? { message: 'Done', user_id, pending_change }
    : at(202, {
        message: 'Done after a day, unless the user objects',
        user_id,
        pending_change,
      });
