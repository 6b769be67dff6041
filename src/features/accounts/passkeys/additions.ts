import type { CredentialAdditions } from '#kernel/access/additions.ts';
import { emitPasskey } from './events.ts';
import { deletePasskey, passkeysAddedAfter } from './store.ts';

/** Passkeys that a user, or a thief of a session, has added. */
export const passkeyAdditions = (): CredentialAdditions => ({
  async list(db, user_id, since) {
    const added = await passkeysAddedAfter(db, user_id, since);
    return added.map(({ name, created_at }) => ({
      what: { en: `passkey ${name}`, id: `passkey ${name}` },
      at: created_at,
    }));
  },
  async undo(tx, user_id, since) {
    const added = await passkeysAddedAfter(tx, user_id, since);
    for (const { passkey_id } of added) {
      const gone = await deletePasskey(tx, user_id, passkey_id);
      if (gone) emitPasskey(tx, 'removed', gone);
    }
    return added.length;
  },
});
