import { type Db, run } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';
import { emitTwoFactor } from './events.ts';

export const findSettings = (db: Db, user_id: number) =>
  db.selectFrom('two_factor').where('user_id', '=', user_id).selectAll().executeTakeFirst();

/** With the row locked, so that decisions about a user's codes follow one another. */
export const lockSettings = (tx: Db, user_id: number) =>
  tx
    .selectFrom('two_factor')
    .where('user_id', '=', user_id)
    .forNoKeyUpdate()
    .selectAll()
    .executeTakeFirst();

/** A user with the row locked, as log-ins and password changes lock it, before anything else. */
export const lockTwoFactorUser = (tx: Db, user_id: number) =>
  tx
    .selectFrom('users')
    .where('user_id', '=', user_id)
    .forNoKeyUpdate()
    .select(['user_id', 'email', 'password_hash'])
    .executeTakeFirstOrThrow();

/** The name of the account in the authenticator's app. */
export async function emailOf(db: Db, user_id: number): Promise<string> {
  const query = db.selectFrom('users').where('user_id', '=', user_id).select('email');
  return (await query.executeTakeFirstOrThrow()).email;
}

/** A new secret, not enabled yet. False when the second factor is enabled. */
export async function saveSetup(tx: Db, user_id: number, sealed_secret: string): Promise<boolean> {
  const fresh = { sealed_secret, last_step: 0, setup_completed_at: null, last_used_at: null };
  const saved = await tx
    .insertInto('two_factor')
    .values({ user_id, ...fresh })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(fresh).where('two_factor.is_enabled', '=', false),
    )
    .returning('user_id')
    .executeTakeFirst();
  return saved !== undefined;
}

/** Whether it was off before. */
export async function enable(tx: Db, user_id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factor')
    .set({ is_enabled: true, setup_completed_at: at.toISOString() })
    .where('user_id', '=', user_id)
    .where('is_enabled', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) await emitTwoFactor(tx, user_id, true);
  return numUpdatedRows === 1n;
}

/** Whether it was on before. Log-ins that wait for a code end. */
export async function disable(tx: Db, user_id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factor')
    .set({ is_enabled: false })
    .where('user_id', '=', user_id)
    .where('is_enabled', '=', true)
    .executeTakeFirst();
  await forgetChallenges(tx, user_id);
  if (numUpdatedRows === 1n) await emitTwoFactor(tx, user_id, false);
  return numUpdatedRows === 1n;
}

/** Records a used code of that step; no code of it or an older one is new after that. */
export async function recordTwoFactorUse(
  tx: Db,
  user_id: number,
  step: number,
  at: Date,
): Promise<void> {
  const sql = `
    update two_factor set last_step = greatest(last_step, $2), last_used_at = $3
     where user_id = $1`;
  await run(tx, sql, [user_id, step, at]);
}

export interface BackupCode {
  readonly fingerprint: Buffer;
  readonly sealed_code: string;
}

export async function replaceBackupCodes(
  tx: Db,
  user_id: number,
  codes: readonly BackupCode[],
): Promise<void> {
  await tx.deleteFrom('two_factor_backup_codes').where('user_id', '=', user_id).execute();
  await tx
    .insertInto('two_factor_backup_codes')
    .values(codes.map((code) => ({ user_id, ...code })))
    .execute();
}

/** Unused ones, sealed; null for one from before they were kept like that. */
export async function listUnused(tx: Db, user_id: number): Promise<(string | null)[]> {
  const rows = await tx
    .selectFrom('two_factor_backup_codes')
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .orderBy('fingerprint')
    .select('sealed_code')
    .execute();
  return rows.map(({ sealed_code }) => sealed_code);
}

/** How many of a user's backup codes have not been used. */
export async function countBackupCodes(db: Db, user_id: number): Promise<number> {
  const { n } = await db
    .selectFrom('two_factor_backup_codes')
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

export const findBackupCode = (tx: Db, user_id: number, mark: Buffer) =>
  tx
    .selectFrom('two_factor_backup_codes')
    .where('user_id', '=', user_id)
    .where('fingerprint', '=', mark)
    .select('used_at')
    .executeTakeFirst();

/** Whether it was unused until now. */
export async function spendBackupCode(tx: Db, user_id: number, mark: Buffer, at: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('two_factor_backup_codes')
    .set({ used_at: at.toISOString(), sealed_code: null })
    .where('user_id', '=', user_id)
    .where('fingerprint', '=', mark)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A user, and the API key, or the console, and the network of the proven password. */
export interface ChallengeKey {
  readonly user_id: number;
  readonly key_id: number | null;
  readonly network: string;
}

export interface NewChallenge extends ChallengeKey {
  readonly challenge_id: string;
  readonly expires_at: Date;
}

export const insertChallenge = (tx: Db, challenge: NewChallenge): Promise<void> =>
  deferWrite(
    tx,
    `insert into login_challenges (challenge_id, user_id, key_id, network, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [
      challenge.challenge_id,
      challenge.user_id,
      challenge.key_id,
      challenge.network,
      challenge.expires_at,
    ],
  );

export type Challenge = Row<'login_challenges', 'challenge_id' | 'user_id' | 'verified'>;

/** The console's have no key: no comparison with a key finds a null. */
const openOf = (key_id: number | null) => `
  select challenge_id, user_id, verified from login_challenges
   where user_id = $1 and ${key_id === null ? 'key_id is null and $2::integer is null' : 'key_id = $2'}
     and network = $3 and consumed_at is null and expires_at > $4`;

/** Whether any log-in waits there for its code. */
export async function isWaiting(
  db: Db,
  { user_id, key_id, network }: ChallengeKey,
  now: Date,
): Promise<boolean> {
  const rows = await run(db, `${openOf(key_id)} limit 1`, [user_id, key_id, network, now]);
  return rows.length > 0;
}

/** The log-in that has counted this code already, else the newest that waits there. */
export async function findChallenge(
  tx: Db,
  { user_id, key_id, network }: ChallengeKey,
  now: Date,
  mark: Buffer | undefined,
): Promise<Challenge | undefined> {
  const rows = await run<Challenge>(
    tx,
    `${openOf(key_id)} order by (verified = $5::bytea) desc nulls last, created_at desc limit 1`,
    [user_id, key_id, network, now, mark ?? null],
  );
  return rows[0];
}

/** Whether another log-in that still waits has counted this code. */
export async function countsElsewhere(
  tx: Db,
  { challenge_id, user_id }: Challenge,
  mark: Buffer,
  now: Date,
): Promise<boolean> {
  const rows = await run(
    tx,
    `select from login_challenges
      where user_id = $1 and challenge_id <> $2 and verified = $3
        and consumed_at is null and expires_at > $4 limit 1`,
    [user_id, challenge_id, mark, now],
  );
  return rows.length > 0;
}

export async function markChallenge(
  tx: Db,
  { challenge_id }: Challenge,
  verified: Buffer,
  consumed_at: Date | null,
): Promise<void> {
  await tx
    .updateTable('login_challenges')
    .set({ verified, consumed_at: consumed_at?.toISOString() ?? null })
    .where('challenge_id', '=', challenge_id)
    .execute();
}

export async function forgetChallenges(tx: Db, user_id: number): Promise<void> {
  await tx.deleteFrom('login_challenges').where('user_id', '=', user_id).execute();
}

export const forgetLapsedChallenges = (db: Db, before: string): Promise<void> =>
  deleteInBatches(db, 'login_challenges', 'expires_at < $1', [before]);
