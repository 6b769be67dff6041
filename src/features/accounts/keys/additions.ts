import type { CredentialAdditions } from '#kernel/access/additions.ts';
import type { CredentialCache } from '#kernel/access/credential-cache.ts';
import { masked } from '#kernel/secrets/token.ts';
import { deleteKeysAfter, listKeysAfter } from './store.ts';

/** API keys that a user created. */
export const keyAdditions = ({
  credentials,
}: {
  readonly credentials: CredentialCache;
}): CredentialAdditions => ({
  async list(db, user_id, since) {
    const keys = await listKeysAfter(db, user_id, since);
    return keys.map(({ key_prefix, key_suffix, created_at }) => ({
      what: {
        en: `API key ${masked(key_prefix, key_suffix)}`,
        id: `kunci API ${masked(key_prefix, key_suffix)}`,
      },
      at: created_at,
    }));
  },
  async undo(tx, user_id, since) {
    const gone = await deleteKeysAfter(tx, user_id, since);
    for (const { key_hash } of gone) credentials.forget('key', key_hash.toString('hex'));
    return gone.length;
  },
});
