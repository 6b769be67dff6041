import { emitUser, insertUser } from '#features/accounts/users/users.ts';
import { openFirstWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { objectId } from '#kernel/object-id.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import type { TeamDeps } from './deps.ts';
import { invitationEvents, memberEvents } from './events.ts';
import { mailTeamOwners } from './mails.ts';
import {
  acceptInvitation,
  type FoundInvitation,
  findInvitation,
  findMember,
  type TeamMember,
} from './store.ts';
import { ROLE_WORDS } from './texts.ts';

export interface Acceptance {
  readonly token: string;
  readonly username: string;
  readonly password: string;
}

const TOKEN = /^[0-9a-f]{64}$/;

/** The invitation of a link that still works. */
export const openInvitation = async (
  db: Db,
  token: string,
): Promise<FoundInvitation | undefined> =>
  TOKEN.test(token) ? findInvitation(db, digestOf(token)) : undefined;

/**
 * Makes the person behind the address an admin of the client, in the role of the invitation. The link works once.
 * Throws INVALID_TOKEN, and EMAIL_EXISTS where the client has got a user of that address meanwhile.
 */
export async function acceptByLink(
  deps: TeamDeps,
  { token, username, password }: Acceptance,
  request: RequestFacts,
): Promise<TeamMember> {
  if (!(await openInvitation(deps.db, token))) throw invalidLink();
  // Hashed before the transaction, since that takes long; the transaction takes the link.
  const password_hash = await deps.passwords.hash(password, request.ip);
  return transact(deps.db, async (tx) => {
    const found = await findInvitation(tx, digestOf(token), { lock: true });
    if (!found) throw invalidLink();
    const at = deps.clock.now();
    const user_id = await insertMember(tx, found, { username, password_hash, at });
    const accepted = await acceptInvitation(tx, found.invitation_id, { user_id, at });
    const member = await findMember(tx, found.client_id, user_id);
    if (!member) throw new Error(`Member ${user_id} vanished`);
    invitationEvents.emit(tx, 'accepted', accepted);
    memberEvents.emit(tx, 'joined', member);
    await record(deps, tx, { found, member, request });
    return member;
  });
}

const invalidLink = () =>
  fail('INVALID_TOKEN', 'Invalid or expired invitation', {
    hint: 'An owner of the team can send another one: POST /team/invitations.',
  });

interface NewMember {
  readonly username: string;
  readonly password_hash: string;
  readonly at: Date;
}

/** The address is proven by the link. */
async function insertMember(
  tx: Db,
  { client_id, email, team_role, country_code }: FoundInvitation,
  { username, password_hash, at }: NewMember,
): Promise<number> {
  const since = at.toISOString();
  const inserted = await insertUser(tx, {
    client_id,
    email,
    username,
    password_hash,
    confirmed_at: since,
    role: 'admin',
    team_role,
    team_since: since,
  });
  if (!inserted)
    throw fail('EMAIL_EXISTS', 'The organisation has a user with this address already');
  const { user_id } = inserted;
  await emitUser(tx, 'created', user_id);
  await openFirstWallet(tx, { user_id, client_id, country_code });
  return user_id;
}

interface Joined {
  readonly found: FoundInvitation;
  readonly member: TeamMember;
  readonly request: RequestFacts;
}

async function record(deps: TeamDeps, tx: Db, { found, member, request }: Joined): Promise<void> {
  const { client_id, team_role, invited_by } = found;
  const { user_id, username } = member;
  await logActivity(tx, {
    action: 'TEAM_JOINED',
    actor: null,
    client_id,
    subject_user_id: user_id,
    details: { team_role, invited_by, invitation_id: objectId('tin', found.invitation_id) },
    request,
  });
  const what = {
    en: `has joined it as ${ROLE_WORDS.en[team_role]}`,
    id: `bergabung sebagai ${ROLE_WORDS.id[team_role]}`,
  };
  await mailTeamOwners(deps, tx, { client_id, by: invited_by, user_id, username, what });
}
