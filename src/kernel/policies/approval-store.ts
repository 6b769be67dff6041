import { type Db, run } from '../db/db.ts';
import { movesOf } from '../db/move.ts';
import type { Row } from '../db/row.ts';
import type { ApproverRole, PolicyKind } from './policy.ts';

export const APPROVAL_STATUSES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'EXPIRED',
  'CANCELLED',
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export interface ApprovalVote {
  readonly by: number;
  readonly at: string;
}

export type Approval = Omit<Row<'approvals'>, 'status' | 'kind' | 'roles'> & {
  readonly status: ApprovalStatus;
  readonly kind: PolicyKind;
  readonly roles: readonly ApproverRole[];
};
export type VotedApproval = Approval & { readonly votes: readonly ApprovalVote[] };

export type NewApproval = Pick<
  Approval,
  | ('approval_id' | 'client_id' | 'kind' | 'object_type' | 'object_id' | 'summary' | 'content')
  | ('content_hash' | 'needed' | 'roles' | 'made_by' | 'receiver' | 'policy_id')
>;

/** An object that waits for others. */
export async function insertApproval(tx: Db, approval: NewApproval): Promise<Approval> {
  const { content, ...rest } = approval;
  const [row] = await run<Approval>(
    tx,
    `insert into approvals (approval_id, client_id, kind, object_type, object_id, summary, content,
       content_hash, needed, roles, made_by, receiver, policy_id)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12, $13) returning *`,
    [
      ...[rest.approval_id, rest.client_id, rest.kind, rest.object_type, rest.object_id],
      ...[rest.summary, JSON.stringify(content), rest.content_hash, rest.needed, rest.roles],
      ...[rest.made_by, rest.receiver, rest.policy_id],
    ],
  );
  if (!row) throw new Error('An approval was not written');
  return row;
}

const VOTED = `select a.*, (select coalesce(json_agg(json_build_object('by', v.user_id,
    'at', to_char(v.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.at), '[]')
  from approval_votes v where v.approval_id = a.approval_id and v.is_approval) as votes from approvals a`;

/** Of a client, or any where that is undefined. */
export async function findApproval(
  db: Db,
  client_id: number | undefined,
  approval_id: string,
): Promise<VotedApproval | undefined> {
  const text = `${VOTED} where a.approval_id = $1 and ($2::integer is null or a.client_id = $2)`;
  return (await run<VotedApproval>(db, text, [approval_id, client_id ?? null]))[0];
}

/** Locks it until the transaction ends: decisions about one wait for one another. */
export async function lockApproval(
  tx: Db,
  client_id: number | undefined,
  approval_id: string,
): Promise<VotedApproval | undefined> {
  await run(tx, 'select from approvals where approval_id = $1 for no key update', [approval_id]);
  return findApproval(tx, client_id, approval_id);
}

/** The open one of an object, locked. */
export async function lockApprovalOf(
  tx: Db,
  object: Pick<Approval, 'object_type' | 'object_id'>,
): Promise<Approval | undefined> {
  const text = `select * from approvals where object_type = $1 and object_id = $2 and status = 'PENDING'
    for no key update`;
  return (await run<Approval>(tx, text, [object.object_type, object.object_id]))[0];
}

/** Newest first, by the status that is stored. */
export function listApprovals(
  db: Db,
  client_id: number | undefined,
  { status }: { readonly status?: ApprovalStatus },
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<VotedApproval[]> {
  const wanted = Object.entries({ 'a.client_id =': client_id, 'a.status =': status });
  const filters = [...wanted, ['a.serial <', before] as const].filter(
    ([, value]) => value !== undefined,
  );
  const conditions = filters.map(([condition], n) => `${condition} $${n + 1}`);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const values = [...filters.map(([, value]) => value), limit];
  return run<VotedApproval>(
    db,
    `${VOTED} ${where} order by a.serial desc limit $${values.length}`,
    values,
  );
}

/** Keeps somebody's word; false where they had given it before. The table refuses who may not decide. */
export async function insertVote(
  tx: Db,
  vote: {
    readonly approval_id: string;
    readonly user_id: number;
    readonly is_approval: boolean;
    readonly note: string | null;
  },
): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into approval_votes (approval_id, user_id, is_approval, note) values ($1, $2, $3, $4)
     on conflict (approval_id, user_id) do nothing returning 1`,
    [vote.approval_id, vote.user_id, vote.is_approval, vote.note],
  );
  return rows.length > 0;
}

const moves = movesOf<Approval>('approvals');

/** Changes one that is locked and open, and counts its version. */
export const changeApproval = (
  tx: Db,
  { approval_id, version }: Pick<Approval, 'approval_id' | 'version'>,
  changes: Partial<Approval>,
): Promise<Approval> =>
  moves.move(tx, { approval_id, version, status: 'PENDING' }, { ...changes, version: version + 1 });

/** What was said of another content does not count. */
export async function deleteVotes(tx: Db, approval_id: string): Promise<void> {
  await run(tx, 'delete from approval_votes where approval_id = $1', [approval_id]);
}

/** Takes back what somebody has approved and what still waits: they may approve no more. */
export async function withdrawVotesOf(tx: Db, user_id: number): Promise<void> {
  const text = `delete from approval_votes v using approvals a
    where a.approval_id = v.approval_id and a.status = 'PENDING' and v.user_id = $1 and v.is_approval`;
  await run(tx, text, [user_id]);
}

/** Locks the next open one that has lapsed, without those numbers. */
export async function lockLapsed(
  tx: Db,
  without: readonly number[],
): Promise<Approval | undefined> {
  const text = `select * from approvals where status = 'PENDING' and expires_at <= service_now()
      and serial <> all ($1::bigint[]) order by expires_at limit 1 for no key update skip locked`;
  return (await run<Approval>(tx, text, [without]))[0];
}

/** A user, or all users of a client. */
export type ApprovalMakers = { readonly user_id: number } | { readonly client_id: number };

/** Locks the next open one of theirs that was made by then, without those numbers. */
export async function lockOpenOf(
  tx: Db,
  { makers, until }: { readonly makers: ApprovalMakers; readonly until: string },
  without: readonly number[],
): Promise<Approval | undefined> {
  const [column, id] =
    'user_id' in makers ? ['made_by', makers.user_id] : ['client_id', makers.client_id];
  const text = `select * from approvals where ${column} = $1 and status = 'PENDING'
      and created_at <= $2::timestamptz and serial <> all ($3::bigint[]) order by serial limit 1 for no key update`;
  return (await run<Approval>(tx, text, [id, until, without]))[0];
}

/** Whether its maker may still act; a suspension waits until the transaction ends. */
export async function lockActiveMaker(tx: Db, made_by: number): Promise<boolean> {
  const text = `select from users u join clients c using (client_id)
    where u.user_id = $1 and u.user_status = 'ACTIVE' and client_is_open(c.client_status) for share of u, c`;
  return (await run(tx, text, [made_by])).length > 0;
}

/** Counts the version of one that is locked: somebody has approved it. */
export async function touchApproval(tx: Db, approval: Approval): Promise<void> {
  await changeApproval(tx, approval, {});
}
