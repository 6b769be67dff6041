import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { masked } from '#kernel/secrets/token.ts';
import { deleteKeysAfter, listWorkingKeys, takeOverKeys } from './store.ts';

/** A user's valid keys as they are shown: keys that a suspended user leaves to their client. */
export async function keysOf(db: Db, user_id: number, now: Date) {
  const keys = await listWorkingKeys(db, user_id, now.toISOString());
  return keys.map(({ key_prefix, key_suffix, ...key }) => ({
    ...key,
    api_key: masked(key_prefix, key_suffix),
  }));
}

/** Ends all of them for good; answers how many. */
export async function endKeysOf(
  { credentials }: Pick<Kernel, 'credentials'>,
  tx: Db,
  user_id: number,
): Promise<number> {
  const ended = await deleteKeysAfter(tx, user_id, null);
  for (const { key_hash } of ended) credentials.forget('key', key_hash.toString('hex'));
  return ended.length;
}

/**
 * Hands all of them to another admin. They do no more than before: who has gone may still know them, so that the role
 * that their maker had stays their limit beside the new holder's.
 */
export async function keepKeysOf(
  { credentials }: Pick<Kernel, 'credentials'>,
  tx: Db,
  user_id: number,
  heir: Parameters<typeof takeOverKeys>[2],
): Promise<void> {
  for (const { key_hash } of await takeOverKeys(tx, user_id, heir))
    credentials.forget('key', key_hash.toString('hex'));
}
