import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { deleteKeyById, insertKey, type NewApiKey } from './store.ts';

/** A key that stands behind a grant of a connected app: its text is handed to none. Answers its id. */
export async function keepKeyOfApp(
  tx: Db,
  key: Pick<NewApiKey, 'user_id' | 'client_id' | 'scopes' | 'created_at'> & {
    readonly app: string;
    readonly expires_at: Date;
  },
): Promise<number> {
  const { app, ...kept } = key;
  const row = await insertKey(tx, { ...kept, provider_name: `App: ${app}` });
  if (!row) throw new Error('It replaces no other key');
  return row.key_id;
}

/** Ends it for good. */
export async function endKeyOfApp(
  { credentials }: Pick<Kernel, 'credentials'>,
  tx: Db,
  key_id: number,
): Promise<void> {
  const ended = await deleteKeyById(tx, key_id);
  if (ended) credentials.forget('key', ended.key_hash.toString('hex'));
}
