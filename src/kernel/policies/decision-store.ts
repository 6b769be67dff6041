import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import { type PolicyFacts, storedFacts } from './facts.ts';
import { type PolicyOperation, recordedSubjects } from './operation.ts';
import type { AppliedPolicy, PolicyRule, PolicyVerdict } from './policy.ts';
import { type SumTaking, USER_TALLIES } from './sums-store.ts';

/** What is known of the user of an operation, the policies that may apply, and the sums with the operation in them. */
export interface OpenedDecision {
  readonly role: string;
  readonly country: string;
  readonly is_verified: boolean;
  readonly age_days: number;
  readonly hour: number;
  readonly weekday: number;
  readonly has_factor: boolean;
  readonly has_passkey: boolean;
  readonly has_password: boolean;
  readonly policies: readonly PolicyRule[];
  readonly sums: readonly SumTaking[];
}

const SPANS = { 'all:1d': '1 day', 'all:1h': '1 hour', 'all:30d': '30 days' } as const;
const WANTED = USER_TALLIES.map((tally) => `('${tally}', interval '${SPANS[tally]}')`).join(', ');
const starts = (now: string) => `date_bin(w.span, ${now}, timestamptz '2001-01-01 00:00+00')`;
const AS_TEXT = `to_char(s.starts at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const opened = (sums: string): string => `
  select u.role, c.country_code as country, u.twofa_enabled as has_factor,
         exists (select from passkeys p where p.user_id = u.user_id) as has_passkey,
    u.password_hash is not null as has_password,
    exists (select from verifications v
      where v.user_id = u.user_id and v.kind = 'KYC' and v.status = 'APPROVED') as is_verified,
    extract(day from $4::timestamptz - u.created)::integer as age_days,
    extract(hour from $4::timestamptz at time zone c.time_zone)::integer as hour,
    extract(isodow from $4::timestamptz at time zone c.time_zone)::integer as weekday,
    (select coalesce(json_agg(json_build_object('policy_id', p.policy_id, 'version', p.version, 'name', p.name,
        'condition', p.condition, 'outcome', p.outcome) order by p.priority desc, p.serial), '[]')
       from policies p
      where p.status = 'PUBLISHED' and (p.client_id is null or p.client_id = $2)
        and $3::text = any (p.applies_to)) as policies,
    (select coalesce(json_agg(json_build_object('tally', s.tally, 'subject', s.subject, 'starts', ${AS_TEXT},
        'amount', s.amount::text, 'count', s.count)), '[]') from ${sums} s) as sums
  from users u join clients c using (client_id) where u.user_id = $1`;

/** Counts it in the user's sums, whose rows it locks: what expressions read of them holds until the end. */
const OPEN = `
  with kept as (
    insert into policy_sums as s (tally, subject, starts, amount, count)
    select w.tally, 'user:' || $1::integer, ${starts('$4::timestamptz')}, $5::numeric, 1
      from (values ${WANTED}) w (tally, span) order by w.tally
    on conflict (tally, subject, starts)
      do update set amount = s.amount + excluded.amount, count = s.count + 1
    returning tally, subject, starts, amount, count)
  ${opened('kept')}`;

/** The same without a change. */
const READ = `
  with kept as (
    select w.tally, 'user:' || $1::integer as subject, w.starts,
      coalesce(k.amount, 0) + $5::numeric as amount, coalesce(k.count, 0) + 1 as count
      from (select tally, ${starts('$4::timestamptz')} as starts from (values ${WANTED}) w (tally, span)) w
      left join policy_sums k on k.tally = w.tally and k.subject = 'user:' || $1::integer and k.starts = w.starts)
  ${opened('kept')}`;

type Asked = Pick<PolicyOperation, 'kind' | 'client_id' | 'user_id'>;

const values = ({ user_id, client_id, kind }: Asked, now: Date, cents: bigint) => [
  ...[user_id, client_id, kind],
  ...[now.toISOString(), cents.toString()],
];

/** What a decision stands on, with the operation counted. */
export async function openDecision(
  tx: Db,
  asked: Asked,
  { now, cents }: { readonly now: Date; readonly cents: bigint },
): Promise<OpenedDecision> {
  const [row] = await run<OpenedDecision>(tx, OPEN, values(asked, now, cents));
  if (!row) throw new Error(`User ${asked.user_id} is not there`);
  return row;
}

/** The same, as it would be: nothing is counted. Undefined where there is no such user. */
export async function previewDecision(
  db: Db,
  asked: Asked,
  { now, cents }: { readonly now: Date; readonly cents: bigint },
): Promise<OpenedDecision | undefined> {
  return (await run<OpenedDecision>(db, READ, values(asked, now, cents)))[0];
}

export interface NewDecision {
  readonly at: Date;
  readonly operation: PolicyOperation;
  readonly verdict: PolicyVerdict;
  readonly by: AppliedPolicy | undefined;
  readonly facts: PolicyFacts;
  readonly abilities: unknown;
  readonly applied: readonly AppliedPolicy[];
  readonly taken: readonly SumTaking[];
}

/** Keeps a decision. */
export async function insertDecision(db: Db, decision: NewDecision): Promise<void> {
  const { at, operation, verdict, by, facts, abilities, applied, taken } = decision;
  const { client_id, user_id, kind, payment_id } = operation;
  const subjects = JSON.stringify(recordedSubjects(operation));
  await run(
    db,
    `insert into policy_decisions (at, client_id, user_id, kind, operation, payment_id, verdict,
       policy_id, policy_version, observed, matched, taken)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12::jsonb)`,
    [
      ...[at.toISOString(), client_id, user_id, kind, operation.operation, payment_id ?? null],
      ...[verdict, by?.policy_id ?? null, by?.version ?? null],
      `{"facts":${storedFacts(facts)},"abilities":${JSON.stringify(abilities)},"subjects":${subjects}}`,
      ...[JSON.stringify(applied), JSON.stringify(taken)],
    ],
  );
}

/** Marks what the decisions of an operation took as given back, once; answers it. */
export async function releaseTaken(
  tx: Db,
  { operation, kind }: Pick<PolicyOperation, 'operation' | 'kind'>,
): Promise<SumTaking[]> {
  const rows = await run<{ taken: SumTaking[] }>(
    tx,
    `update policy_decisions set given_back_at = service_now()
      where operation = $1 and kind = $2 and given_back_at is null
     returning taken`,
    [operation, kind],
  );
  return rows.flatMap(({ taken }) => taken);
}

/** The reverse: what was given back of an operation counts again, once; answers it. */
export async function takenAgain(
  tx: Db,
  { operation, kind }: Pick<PolicyOperation, 'operation' | 'kind'>,
): Promise<SumTaking[]> {
  const rows = await run<{ taken: SumTaking[] }>(
    tx,
    `update policy_decisions set given_back_at = null
      where operation = $1 and kind = $2 and given_back_at is not null
     returning taken`,
    [operation, kind],
  );
  return rows.flatMap(({ taken }) => taken);
}

export type StoredDecision = Row<'policy_decisions'>;
