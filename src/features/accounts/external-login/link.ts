import { randomUUID } from 'node:crypto';
import type {
  Applier,
  ChangeFacts,
  PendingChange,
  PendingChanges,
} from '#features/accounts/pending-changes/pending-changes.ts';
import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { decide } from '#kernel/access/attempts.ts';
import type { FreshProof, SentProof } from '#kernel/access/fresh-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { attach, type LogInMethod, refuseTaken } from './attach.ts';
import { emitIdentities } from './events.ts';
import {
  deleteIdentity,
  type ExternalUser,
  listMappings,
  lockIdentity,
  lockUser,
  type Mapping,
  makePrimary,
} from './store.ts';
import type { Target } from './target.ts';

export type LinkDeps = Pick<Kernel, 'clock' | 'config'> & {
  readonly notices: SecurityNotices;
  readonly changes: PendingChanges;
  readonly freshProof: FreshProof;
};

/** The actor, the user and the request of a link. */
export interface Linking {
  readonly target: Target;
  readonly caller: UserCaller;
  readonly way: LogInMethod;
  /** An address that the provider has verified, by which the user recognises the account. */
  readonly email: string | null;
  readonly proof: SentProof;
  readonly operation: string;
  readonly request: RequestFacts;
}

/** Linked, or waiting for the consent of the user whom an admin named. */
export type Linked = { readonly user: ExternalUser } & (
  | { readonly mapping: Mapping }
  | { readonly pending: PendingChange }
);

/**
 * Makes an account of the provider, or a wallet of one, a log-in of the user (contract part 1, External-login). Locks
 * both, and the user's mappings. A repetition finds what the same request has linked before a crash. Throws the
 * errors of the proof and of `attach`.
 */
export async function link(deps: LinkDeps, db: Db, linking: Linking): Promise<Linked> {
  const { target, caller, way, proof, request } = linking;
  const shown = await deps.freshProof.verify(db, { caller, request }, proof);
  return decide(db, async (tx): Promise<Linked | AppError> => {
    await lockIdentity(tx, way.ext_user_id);
    const earlier = await findEarlier(tx, linking);
    const refusal = earlier ? undefined : await shown(tx);
    if (refusal) return refusal;
    const user = await lockUser(tx, target);
    if (!user) throw fail('USER_NOT_FOUND', 'User not found');
    if (earlier) return { user, mapping: earlier };
    // A link by an admin for another user is no log-in before that user consents.
    if (!deps.config.MOCK_MODE && user.user_id !== caller.user_id)
      return { user, pending: await propose(deps, tx, user, linking) };
    return { user, mapping: await linkNow(deps, tx, user, linking) };
  });
}

/** An idempotency key may be reused after a day: the operation alone proves nothing. */
async function findEarlier(tx: Db, { target, way, operation }: Linking) {
  const mappings = await listMappings(tx, target.user_id);
  return mappings.find(
    (mapping) =>
      mapping.operation === operation &&
      mapping.ext_user_id === way.ext_user_id &&
      (way.kind !== 'wallet' || mapping.wallet_address === way.wallet_address),
  );
}

async function linkNow(deps: LinkDeps, tx: Db, user: ExternalUser, linking: Linking) {
  const { way, caller, operation, request } = linking;
  const mapping = await attach(tx, user.user_id, way, { operation, at: deps.clock.now() });
  const { kind, ...details } = way;
  await logActivity(tx, {
    action: kind === 'wallet' ? 'EXTERNAL_WALLET_LINKED' : 'EXTERNAL_LOGIN_LINKED',
    actor: caller,
    client_id: user.client_id,
    subject_user_id: user.user_id,
    details,
    request,
  });
  await deps.notices.sendDue(tx, user.user_id);
  return mapping;
}

async function propose(deps: LinkDeps, tx: Db, user: ExternalUser, linking: Linking) {
  const { way, email, caller, request } = linking;
  await refuseTaken(tx, user.user_id, way);
  const { kind, ext_user_id, auth_provider, wallet_address } = way;
  const subject = kind === 'wallet' ? (wallet_address ?? '') : ext_user_id;
  const details = { auth_provider, wallet_address, email };
  return deps.changes.propose(tx, { user, kind, subject, ext_user_id, details, caller, request });
}

/** A link that a user has allowed an admin to make. */
export const linkApplier = ({ clock, notices }: Pick<LinkDeps, 'clock' | 'notices'>): Applier => ({
  check: (tx, change) => refuseTaken(tx, change.user_id, logInMethodOf(change)),
  async lock(tx, change) {
    await lockIdentity(tx, logInMethodOf(change).ext_user_id);
  },
  async apply(tx, change) {
    const { user_id } = change;
    await attach(tx, user_id, logInMethodOf(change), { operation: randomUUID(), at: clock.now() });
    await notices.sendDue(tx, user_id);
  },
});

function logInMethodOf({ kind, ext_user_id, details }: ChangeFacts): LogInMethod {
  const { auth_provider, wallet_address = null } = details;
  if (kind !== 'wallet' && kind !== 'external-login') throw new Error(`${kind} is no way in`);
  if (!ext_user_id || !auth_provider)
    throw new Error('A proposal does not name the account to link');
  return { kind, ext_user_id, auth_provider, wallet_address };
}

export type Disconnecting = Pick<Linking, 'target' | 'caller' | 'request'> & {
  readonly ext_user_id: string;
};

/**
 * Takes an account of the provider from the user, in the caller's transaction. The oldest of the others becomes the
 * primary if that was the primary. Throws AUTH_NOT_FOUND, and CANNOT_DISCONNECT_PRIMARY for the last account.
 */
export async function disconnect(
  { notices }: Pick<LinkDeps, 'notices'>,
  tx: Db,
  { target, caller, ext_user_id, request }: Disconnecting,
): Promise<Mapping> {
  await lockIdentity(tx, ext_user_id);
  const user = await lockUser(tx, target);
  if (!user) throw fail('USER_NOT_FOUND', 'User not found');
  const mappings = await listMappings(tx, user.user_id);
  const leaving = mappings.filter((mapping) => mapping.ext_user_id === ext_user_id);
  const [first] = leaving;
  if (!first) throw fail('AUTH_NOT_FOUND', 'This external account is not linked to the user');
  const [heir] = mappings.filter((mapping) => mapping.ext_user_id !== ext_user_id);
  if (!heir)
    throw fail('CANNOT_DISCONNECT_PRIMARY', 'The only log-in method cannot be disconnected');
  await deleteIdentity(tx, ext_user_id, user.user_id);
  await emitIdentities(tx, 'unlinked', leaving);
  if (leaving.some(({ is_primary }) => is_primary)) await makePrimary(tx, heir.id);
  await logActivity(tx, {
    action: 'EXTERNAL_LOGIN_DISCONNECTED',
    actor: caller,
    client_id: user.client_id,
    subject_user_id: user.user_id,
    details: { ext_user_id, auth_provider: first.auth_provider },
    request,
  });
  await notices.sendDue(tx, user.user_id);
  return first;
}
