import { type Db, run } from '../db/db.ts';
import { movesOf } from '../db/move.ts';
import type { Row } from '../db/row.ts';
import type { PolicyKind, PolicyOutcome } from './policy.ts';

export const POLICY_STATUSES = ['DRAFT', 'PUBLISHED', 'RETIRED'] as const;
export type PolicyStatus = (typeof POLICY_STATUSES)[number];
export type PolicyAct = 'publish' | 'retire';

export type Policy = Omit<Row<'policies'>, 'applies_to' | 'outcome' | 'status' | 'pending'> & {
  readonly applies_to: readonly PolicyKind[];
  readonly outcome: PolicyOutcome;
  readonly status: PolicyStatus;
  readonly pending: PolicyAct | null;
};

/** What people write of one. */
export type PolicyText = Pick<Policy, 'name' | 'applies_to' | 'condition' | 'outcome' | 'priority'>;

/** The client of an admin, whose policies it sees; undefined for the operator's, who see all. */
export type PolicyScope = number | undefined;

/** A new draft. */
export async function insertPolicy(
  tx: Db,
  policy: PolicyText & Pick<Policy, 'policy_id' | 'client_id' | 'edited_by'>,
): Promise<Policy> {
  const { policy_id, client_id, name, applies_to, condition, outcome, priority, edited_by } =
    policy;
  const [row] = await run<Policy>(
    tx,
    `insert into policies (policy_id, client_id, name, applies_to, condition, outcome, priority, edited_by)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8) returning *`,
    [
      ...[policy_id, client_id, name, applies_to, condition, JSON.stringify(outcome)],
      ...[priority, edited_by],
    ],
  );
  if (!row) throw new Error('A policy was not written');
  return row;
}

export async function findPolicy(
  db: Db,
  client_id: PolicyScope,
  policy_id: string,
): Promise<Policy | undefined> {
  const text = `select * from policies where policy_id = $1 and ($2::integer is null or client_id = $2)`;
  return (await run<Policy>(db, text, [policy_id, client_id ?? null]))[0];
}

/** The same, locked until the transaction ends. */
export async function lockPolicy(
  tx: Db,
  client_id: PolicyScope,
  policy_id: string,
): Promise<Policy | undefined> {
  const text = `select * from policies where policy_id = $1 and ($2::integer is null or client_id = $2)
    for no key update`;
  return (await run<Policy>(tx, text, [policy_id, client_id ?? null]))[0];
}

/** Newest first, before that number. */
export const listPolicies = (
  db: Db,
  client_id: PolicyScope,
  { status, kind }: { readonly status?: PolicyStatus; readonly kind?: PolicyKind },
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<Policy[]> =>
  run<Policy>(
    db,
    `select * from policies
      where ($1::integer is null or client_id = $1) and ($2::text is null or status = $2)
        and ($3::text is null or $3 = any (applies_to)) and serial < $4
      order by serial desc limit $5`,
    [client_id ?? null, status ?? null, kind ?? null, before ?? Number.MAX_SAFE_INTEGER, limit],
  );

const moves = movesOf<Policy>('policies');

/** Changes a policy whose row is locked, and counts its version. */
export const changePolicy = (
  tx: Db,
  { policy_id, version }: Pick<Policy, 'policy_id' | 'version'>,
  changes: Partial<Policy>,
): Promise<Policy> =>
  moves.move(tx, { policy_id, version }, { ...stored(changes), version: version + 1 });

/** As the columns take it. */
const stored = ({ outcome, ...rest }: Partial<Policy>): Partial<Policy> => ({
  ...rest,
  ...(outcome && { outcome: JSON.stringify(outcome) as unknown as PolicyOutcome }),
});

export async function deletePolicy(tx: Db, policy_id: string): Promise<void> {
  await run(tx, `delete from policies where policy_id = $1 and status = 'DRAFT'`, [policy_id]);
}

/** How many a client has that are not retired, and how many of them are published. */
export async function countPolicies(
  db: Db,
  client_id: number | null,
): Promise<{ readonly open: number; readonly published: number }> {
  const [row] = await run<{ open: number; published: number }>(
    db,
    `select count(*)::integer as open, (count(*) filter (where status = 'PUBLISHED'))::integer as published
       from policies where client_id is not distinct from $1 and status <> 'RETIRED'`,
    [client_id],
  );
  return row ?? { open: 0, published: 0 };
}

/** The admins who may approve or publish something of a client: its own, and the operator's. */
export async function countAdmins(
  db: Db,
  client_id: number | null,
): Promise<{ readonly own: number; readonly operators: number }> {
  const [row] = await run<{ own: number; operators: number }>(
    db,
    `select (count(*) filter (where u.client_id = coalesce($1::integer, 1)))::integer as own,
       (count(*) filter (where u.client_id = 1))::integer as operators
       from users u join clients c using (client_id)
      where u.client_id in (1, $1) and u.role = 'admin' and u.user_status = 'ACTIVE'
        and client_is_open(c.client_status)`,
    [client_id],
  );
  return row ?? { own: 0, operators: 0 };
}

/** Whether the two are two people, as far as that can be seen, with authority over that client's policies. */
export async function isSecondAdmin(
  tx: Db,
  { first, second }: { readonly first: number; readonly second: number },
  { since, withFactor, client_id }: SecondAdminRule,
): Promise<boolean> {
  const [row] = await run<{ yes: boolean }>(
    tx,
    'select is_second_admin($1, $2, $3::timestamptz, $4, $5) as yes',
    [first, second, since, withFactor, client_id ?? 1],
  );
  return row?.yes === true;
}

export interface SecondAdminRule {
  /** The second account is no younger, and the first person has done nothing to it since. */
  readonly since: string;
  readonly withFactor: boolean;
  readonly client_id: number | null;
}

/** Locks those whose one admin asked for something a day ago, and still is an admin. */
export const duePolicies = (tx: Db, limit: number): Promise<Policy[]> =>
  run<Policy>(
    tx,
    `select p.* from policies p join users u on u.user_id = p.pending_by
      where p.pending_at <= service_now() and u.role = 'admin' and u.user_status = 'ACTIVE'
      order by p.pending_at limit $1 for no key update of p skip locked`,
    [limit],
  );
