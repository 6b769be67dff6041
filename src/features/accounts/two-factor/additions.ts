import type { CredentialAdditions } from '#kernel/access/additions.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { writeAudit } from './audit-store.ts';
import { disable, findSettings, lockSettings } from './store.ts';

/**
 * How long a mailed link alone may undo a second factor. Its owner was notified at once; an older one protects the
 * account against readers of the owner's mail.
 */
const UNDONE_WITHIN_MS = 7 * 24 * 3600_000;
const SECOND_FACTOR = { en: 'two-factor authentication', id: 'autentikasi dua faktor' };

/** A second factor that was enabled a short while ago. */
export function secondFactorAdditions({ clock }: { readonly clock: Clock }): CredentialAdditions {
  async function enabledAfter(
    db: Db,
    user_id: number,
    since: string | null,
    find: typeof findSettings,
  ): Promise<string | undefined> {
    const settings = await find(db, user_id);
    const at = settings?.is_enabled ? settings.setup_completed_at : null;
    const oldest = new Date(clock.now().getTime() - UNDONE_WITHIN_MS).toISOString();
    return at !== null && at > oldest && (since === null || at > since) ? at : undefined;
  }
  return {
    async list(db, user_id, since) {
      const at = await enabledAfter(db, user_id, since, findSettings);
      return at === undefined ? [] : [{ what: SECOND_FACTOR, at }];
    },
    async undo(tx, user_id, since) {
      if ((await enabledAfter(tx, user_id, since, lockSettings)) === undefined) return 0;
      await disable(tx, user_id);
      await writeAudit(tx, { user_id, action: 'disabled' });
      return 1;
    },
  };
}
