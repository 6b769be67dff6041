import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';

/** An admin of a client, as their colleagues see them. */
export type TeamMember = Row<
  'users',
  'user_id' | 'client_id' | 'username' | 'email' | 'user_status' | 'team_since'
> & {
  readonly team_role: TeamRole;
  readonly second_factor: boolean;
};

export type Invitation = Omit<Row<'team_invitations'>, 'team_role' | 'token_digest'> & {
  readonly team_role: TeamRole;
};

const MEMBER = `u.user_id, u.client_id, u.username, u.email, u.user_status, u.team_since,
  coalesce(u.team_role, 'owner') as team_role, u.twofa_enabled as second_factor`;

/** Newest first. */
export const listMembers = (
  db: Db,
  client_id: number,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<TeamMember[]> =>
  run<TeamMember>(
    db,
    `select ${MEMBER} from users u where u.client_id = $1 and u.role = 'admin'
        and ($2::integer is null or u.user_id < $2)
      order by u.user_id desc limit $3`,
    [client_id, before ?? null, limit],
  );

export const countMembers = async (db: Db, client_id: number): Promise<number> =>
  (
    await run<{ n: number }>(
      db,
      `select count(*)::integer as n from users where client_id = $1 and role = 'admin'`,
      [client_id],
    )
  )[0]?.n ?? 0;

export async function findMember(
  db: Db,
  client_id: number,
  user_id: number,
): Promise<TeamMember | undefined> {
  const text = `select ${MEMBER} from users u where u.client_id = $1 and u.user_id = $2 and u.role = 'admin'`;
  return (await run<TeamMember>(db, text, [client_id, user_id]))[0];
}

/** Locks two people in one order; which of them are admins of the client, and whether the first is an owner. */
export async function lockOwnerAnd(
  tx: Db,
  client_id: number,
  { by, user_id }: { readonly by: number; readonly user_id: number },
): Promise<{ readonly isOwner: boolean; readonly isMember: boolean }> {
  const held = await run<Pick<TeamMember, 'user_id' | 'team_role'>>(
    tx,
    `select user_id, coalesce(team_role, 'owner') as team_role from users
      where user_id = any($1::integer[]) and client_id = $2 and role = 'admin'
        and (user_status = 'ACTIVE' or user_id <> $3)
      order by user_id for no key update`,
    [[by, user_id], client_id, by],
  );
  return {
    isOwner: held.some((one) => one.user_id === by && one.team_role === 'owner'),
    isMember: held.some((one) => one.user_id === user_id),
  };
}

/** The active owners of a client, who hear of every change of the team. */
export const listOwners = (db: Db, client_id: number, limit: number) =>
  run<Row<'users', 'user_id' | 'email'>>(
    db,
    `select user_id, email from users where client_id = $1 and role = 'admin'
        and coalesce(team_role, 'owner') = 'owner' and user_status = 'ACTIVE'
      order by user_id limit $2`,
    [client_id, limit],
  );

const INVITATION = `invitation_id, serial, client_id, email, team_role, invited_by, created_at, expires_at,
  accepted_by, accepted_at, revoked_at`;

export async function insertInvitation(
  tx: Db,
  one: Pick<
    Row<'team_invitations'>,
    'invitation_id' | 'client_id' | 'email' | 'team_role' | 'invited_by'
  > & { readonly token_digest: Buffer; readonly at: Date; readonly expires: Date },
): Promise<Invitation> {
  const [row] = await run<Invitation>(
    tx,
    `insert into team_invitations (invitation_id, client_id, email, team_role, invited_by, token_digest,
       created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${INVITATION}`,
    [
      ...[one.invitation_id, one.client_id, one.email, one.team_role, one.invited_by],
      ...[one.token_digest, one.at, one.expires],
    ],
  );
  if (!row) throw new Error('An invitation was not written');
  return row;
}

/** Newest first, those that can still be accepted. */
export const listInvitations = (db: Db, client_id: number, limit: number): Promise<Invitation[]> =>
  run<Invitation>(
    db,
    `select ${INVITATION} from team_invitations where client_id = $1 and accepted_at is null
        and revoked_at is null and expires_at > service_now()
      order by serial desc limit $2`,
    [client_id, limit],
  );

/** What of them is still open is no invitation any more. */
export const revokeInvitations = (
  tx: Db,
  client_id: number,
  { email, invited_by, invitation_id }: InvitationsMeant,
): Promise<Invitation[]> =>
  run<Invitation>(
    tx,
    `update team_invitations set revoked_at = service_now()
      where client_id = $1 and accepted_at is null and revoked_at is null
        and ($2::text is null or lower(email) = lower($2))
        and ($3::integer is null or invited_by = $3)
        and ($4::uuid is null or invitation_id = $4)
      returning ${INVITATION}`,
    [client_id, email ?? null, invited_by ?? null, invitation_id ?? null],
  );

/** All open ones of the client that have what is named. */
export interface InvitationsMeant {
  readonly email?: string;
  readonly invited_by?: number;
  readonly invitation_id?: string;
}

/** Open, in time, and of an owner who may still invite: what a removed person has asked for is void. */
const GOOD = `i.token_digest = $1 and i.accepted_at is null and i.revoked_at is null
  and i.expires_at > service_now()
  and exists (select from users u join clients c using (client_id)
    where u.user_id = i.invited_by and u.client_id = i.client_id and u.role = 'admin'
      and coalesce(u.team_role, 'owner') = 'owner' and u.user_status = 'ACTIVE'
      and client_is_open(c.client_status))`;

export type FoundInvitation = Invitation & Row<'clients', 'client_alias' | 'country_code'>;

/** By the digest of the token in its link. With `lock`, one acceptance waits for another. */
export async function findInvitation(
  db: Db,
  token_digest: Buffer,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<FoundInvitation | undefined> {
  const columns = INVITATION.split(',').map((name) => `i.${name.trim()}`);
  const text = `select ${columns.join()}, c.client_alias, c.country_code
    from team_invitations i join clients c using (client_id)
    where ${GOOD}${lock ? ' for no key update of i' : ''}`;
  return (await run<FoundInvitation>(db, text, [token_digest]))[0];
}

export async function acceptInvitation(
  tx: Db,
  invitation_id: string,
  { user_id, at }: { readonly user_id: number; readonly at: Date },
): Promise<Invitation> {
  const [row] = await run<Invitation>(
    tx,
    `update team_invitations set accepted_by = $2, accepted_at = $3
      where invitation_id = $1 and accepted_at is null and revoked_at is null returning ${INVITATION}`,
    [invitation_id, user_id, at],
  );
  if (!row) throw new Error(`Invitation ${invitation_id} vanished`);
  return row;
}
