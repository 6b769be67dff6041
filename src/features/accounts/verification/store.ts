import { type Insertable, type QueryCreator, sql } from 'kysely';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, now } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import type { DB, Verifications } from '#kernel/db/schema.generated.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { transact } from '#kernel/transact.ts';
import type { VerificationType } from '#providers/identity/port.ts';
import { emitVerification } from './events.ts';
import type { VerificationStatus } from './statuses.ts';

/** The value of `ekyc_provider` for results of the identity provider. */
const PROVIDER = 'IDV';

export interface ApplicantFacts {
  readonly applicantId: string;
  readonly levelName?: string;
  /** From the documents, once they have been read. */
  readonly name?: string | null;
}

export interface Subject {
  readonly user_id: number;
  readonly client_id: number;
  readonly role: string;
}

/** Serialises decisions about one user. Nothing when there is no such user. */
export const lockSubject = (tx: Db, user_id: number): Promise<Subject | undefined> =>
  tx
    .selectFrom('users')
    .select(['user_id', 'client_id', 'role'])
    .where('user_id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirst();

export const readVerification = (db: Db, user_id: number, kind: VerificationType) =>
  db
    .selectFrom('verifications')
    .select(['status', 'decided_at', 'level_name'])
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .executeTakeFirst();

/**
 * Records a decision, or that a verification has begun. The time of verification is that of the change: a repeated
 * approval does not move it.
 */
export async function putVerification(
  tx: Db,
  change: {
    readonly user_id: number;
    readonly kind: VerificationType;
    readonly status: VerificationStatus;
    /** Nothing before a decision. */
    readonly at: Date | undefined;
    readonly applicant: ApplicantFacts | undefined;
    readonly changed: boolean;
  },
): Promise<void> {
  const { user_id, kind, status, applicant, changed } = change;
  const at = change.at?.toISOString() ?? null;
  const verified_at = status === 'APPROVED' ? at : null;
  const facts = { decided_at: at, ...columnsOf(applicant) };
  await upsert(
    tx,
    { user_id, kind, ...facts },
    { status, verified_at, provider: PROVIDER },
    changed,
  );
}

export interface VerificationChange {
  readonly user_id: number;
  readonly status: VerificationStatus;
  /** ISO 8601, as the decider reports it. */
  readonly verified_at: string | null;
  /** The decider, as `ekyc_provider` shows it. */
  readonly provider: string;
  /** The source, for the history. */
  readonly source: string;
  /** The time of a decision: earlier decisions of the identity provider no longer count. */
  readonly at: Date | null;
}

/** Sets a user's individual verification and keeps the history (contract: States). */
export async function recordVerification(tx: Db, change: VerificationChange): Promise<void> {
  const { user_id, status, verified_at, provider, source } = change;
  const kind = 'KYC';
  const facts = { user_id, kind, decided_at: change.at?.toISOString() ?? null } as const;
  await transact(tx, async (own) => {
    await upsert(own, facts, { status, verified_at, provider }, true);
    await addHistory(own, { user_id, kind, status, source });
  });
}

/** The same for a new user: at the end of the transaction, in which nothing may look for it. */
export async function recordFirstVerification(
  tx: Db,
  client_id: number,
  { user_id, status, verified_at, provider, source, at }: VerificationChange,
): Promise<void> {
  const kind = 'KYC';
  await deferWrite(
    tx,
    `insert into verifications (user_id, kind, decided_at, status, verified_at, provider)
     values ($1, $2, $3, $4, $5, $6)`,
    [user_id, kind, at, status, verified_at, provider],
  );
  await addHistory(tx, { user_id, kind, status, source }, client_id);
}

type Facts = Pick<Insertable<Verifications>, 'user_id' | 'kind' | 'decided_at'>;
type Result = Pick<Insertable<Verifications>, 'status' | 'verified_at' | 'provider'>;

/** The facts in any case; the result only where there was none, or it has changed. */
async function upsert(tx: Db, facts: Facts, result: Result, changed: boolean): Promise<void> {
  const { user_id: _, kind: __, ...others } = facts;
  await tx
    .insertInto('verifications')
    .values({ ...facts, ...result })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind'])
        .doUpdateSet({ ...others, updated_at: now, ...(changed && result) }),
    )
    .execute();
}

export async function noteApplicant(
  tx: Db,
  user_id: number,
  kind: VerificationType,
  applicant: ApplicantFacts,
): Promise<void> {
  await tx
    .updateTable('verifications')
    .set({ ...columnsOf(applicant), updated_at: now })
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .execute();
}

/** A fact that is unknown this time stays as it was. */
const columnsOf = (applicant: ApplicantFacts | undefined) => ({
  ...(applicant && { applicant_id: applicant.applicantId }),
  ...(applicant?.levelName !== undefined && { level_name: applicant.levelName }),
  ...(applicant?.name && { verified_name: applicant.name }),
});

export async function addHistory(
  tx: Db,
  entry: {
    readonly user_id: number;
    readonly kind: VerificationType;
    readonly status: VerificationStatus;
    readonly source: string;
  },
  /** The user's, where it is known already. */
  client_id?: number,
): Promise<void> {
  const { user_id, kind, status, source } = entry;
  await deferWrite(
    tx,
    'insert into verification_history (user_id, kind, status, source) values ($1, $2, $3, $4)',
    [user_id, kind, status, source],
  );
  await emitVerification(tx, { user_id, kind, status, source }, client_id);
}

/** The name that an individual was approved under; null where no provider has reported it. */
export async function verifiedNameOf(db: Db, user_id: number): Promise<string | null> {
  const row = await db
    .selectFrom('verifications')
    .select('verified_name')
    .where('user_id', '=', user_id)
    .where('kind', '=', 'KYC')
    .where('status', '=', 'APPROVED')
    .executeTakeFirst();
  return row?.verified_name ?? null;
}

/** A user of that client with the individual verification, if any. */
export const findStatus = (db: Db, reach: TenantScope, user_id: number, client_id: number) =>
  db
    .selectFrom('users as u')
    .leftJoin('verifications as v', (on) =>
      on.onRef('v.user_id', '=', 'u.user_id').on('v.kind', '=', 'KYC'),
    )
    .select(['u.user_id', 'u.user_status', 'v.status', 'v.verified_at'])
    .where('u.user_id', '=', user_id)
    .where('u.client_id', '=', client_id)
    .where(({ ref }) => inTenantScope(reach, ref('u.user_id'), ref('u.client_id')))
    .executeTakeFirst();

/** Newest first. */
export const listHistory = (
  db: Db,
  user_id: number,
  page: { readonly limit: number; readonly before: number | undefined },
) =>
  db
    .selectFrom('verification_history')
    .select(['id', 'kind', 'status', 'source', 'at'])
    .where('user_id', '=', user_id)
    .$if(page.before !== undefined, (q) => q.where('id', '<', page.before ?? 0))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();

/** Kept only while that applicant is still the one of the verification. */
export async function keepName(
  db: Db,
  found: {
    readonly user_id: number;
    readonly kind: VerificationType;
    readonly applicantId: string;
    readonly name: string;
  },
): Promise<void> {
  await db
    .updateTable('verifications')
    .set({ verified_name: found.name, updated_at: now })
    .where('user_id', '=', found.user_id)
    .where('kind', '=', found.kind)
    .where('applicant_id', '=', found.applicantId)
    .execute();
}

/** The provider knows users by their id as text. Nothing for any other text. */
export const userIdOf = (externalUserId: string): number | undefined =>
  /^[1-9]\d{0,9}$/.test(externalUserId) && Number(externalUserId) <= ID_MAX
    ? Number(externalUserId)
    : undefined;

/**
 * The verification of each row of a statement's part `page`, which has `user_id`: found for all at once, along one
 * index.
 */
export const verifiedOfPage = (part: QueryCreator<DB>) =>
  part
    .selectFrom('verifications')
    .select(['user_id', 'status'])
    .where('kind', '=', 'KYC')
    .where(sql<boolean>`user_id = any(array(select user_id from page))`);
