import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';

export type PasskeyRow = Row<
  'passkeys',
  | 'passkey_id'
  | 'client_id'
  | 'user_id'
  | 'credential_id'
  | 'is_synced'
  | 'name'
  | 'created_at'
  | 'last_used_at'
> & { readonly serial: string };

/** A passkey with what verifies its answers. */
export type KnownPasskey = PasskeyRow &
  Row<'passkeys', 'public_key'> & {
    readonly transports: string[];
    readonly sign_count: string;
  };

const COLUMNS = `passkey_id, serial, client_id, user_id, credential_id, is_synced, name, created_at, last_used_at`;
const KNOWN = `select ${COLUMNS}, public_key, transports, sign_count from passkeys`;

export interface NewPasskey {
  readonly passkey_id: string;
  readonly client_id: number;
  readonly user_id: number;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly transports: readonly string[];
  readonly is_synced: boolean;
  readonly name: string;
}

/** Nothing where that credential is known already. */
export async function insertPasskey(tx: Db, key: NewPasskey): Promise<PasskeyRow | undefined> {
  const rows = await run<PasskeyRow>(
    tx,
    `insert into passkeys (passkey_id, client_id, user_id, credential_id, public_key, sign_count, transports,
       is_synced, name)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (credential_id) do nothing returning ${COLUMNS}`,
    [
      key.passkey_id,
      key.client_id,
      key.user_id,
      key.credential_id,
      key.public_key,
      key.sign_count,
      [...key.transports],
      key.is_synced,
      key.name,
    ],
  );
  return rows[0];
}

/** By its credential, with the row locked: its count is compared and changed. */
export async function lockPasskey(
  tx: Db,
  credential_id: string,
): Promise<KnownPasskey | undefined> {
  const text = `${KNOWN} where credential_id = $1 for no key update`;
  return (await run<KnownPasskey>(tx, text, [credential_id]))[0];
}

/** All of a user, of whom there are few. */
export const passkeysOf = (db: Db, user_id: number): Promise<KnownPasskey[]> =>
  run<KnownPasskey>(db, `${KNOWN} where user_id = $1 order by serial desc limit 20`, [user_id]);

export interface PasskeyUse {
  readonly passkey_id: string;
  readonly sign_count: number;
  readonly is_synced: boolean;
}

export const notePasskeyUse = (tx: Db, { passkey_id, sign_count, is_synced }: PasskeyUse) =>
  run(
    tx,
    `update passkeys set sign_count = $2, is_synced = $3, last_used_at = service_now() where passkey_id = $1`,
    [passkey_id, sign_count, is_synced],
  );

/** Nothing where the user has no such passkey. */
export async function renamePasskey(
  tx: Db,
  user_id: number,
  passkey_id: string,
  name: string,
): Promise<PasskeyRow | undefined> {
  const text = `update passkeys set name = $3 where passkey_id = $1 and user_id = $2 returning ${COLUMNS}`;
  return (await run<PasskeyRow>(tx, text, [passkey_id, user_id, name]))[0];
}

export async function deletePasskey(
  tx: Db,
  user_id: number,
  passkey_id: string,
): Promise<PasskeyRow | undefined> {
  const text = `delete from passkeys where passkey_id = $1 and user_id = $2 returning ${COLUMNS}`;
  return (await run<PasskeyRow>(tx, text, [passkey_id, user_id]))[0];
}

/** Locks the user's row, so that passkeys are counted one after another. */
export const lockPasskeyOwner = (tx: Db, user_id: number) =>
  run(tx, 'select from users where user_id = $1 for no key update', [user_id]);

export const passkeysAddedAfter = (
  db: Db,
  user_id: number,
  since: string | null,
): Promise<PasskeyRow[]> =>
  run<PasskeyRow>(
    db,
    `select ${COLUMNS} from passkeys
      where user_id = $1 and created_at > coalesce($2::timestamptz, '-infinity') order by created_at desc limit 20`,
    [user_id, since],
  );

export interface PasskeyChallenge {
  readonly challenge_id: string;
  readonly purpose: 'register' | 'log-in';
  readonly challenge: Buffer;
  readonly asker: string;
  readonly user_id: number | null;
  readonly expires_at: Date;
}

export async function insertPasskeyChallenge(tx: Db, asked: PasskeyChallenge): Promise<void> {
  const { challenge_id, purpose, challenge, asker, user_id, expires_at } = asked;
  await run(
    tx,
    `insert into passkey_challenges (challenge_id, purpose, challenge, asker, user_id, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [challenge_id, purpose, challenge, asker, user_id, expires_at],
  );
}

type Taken = Pick<PasskeyChallenge, 'challenge_id' | 'purpose' | 'asker' | 'user_id'>;

/** Uses a challenge up, whatever its answer is worth; nothing for another caller's, or once it has lapsed. */
export async function takePasskeyChallenge(tx: Db, taken: Taken): Promise<Buffer | undefined> {
  const { challenge_id, purpose, asker, user_id } = taken;
  const [row] = await run<Row<'passkey_challenges', 'challenge'> & { readonly open: boolean }>(
    tx,
    `delete from passkey_challenges
      where challenge_id = $1 and purpose = $2 and asker = $3 and user_id is not distinct from $4::integer
     returning challenge, expires_at > service_now() as open`,
    [challenge_id, purpose, asker, user_id],
  );
  return row?.open ? row.challenge : undefined;
}

export const forgetPasskeyChallenges = (db: Db, at: string): Promise<void> =>
  deleteInBatches(db, 'passkey_challenges', 'expires_at <= $1', [at]);
