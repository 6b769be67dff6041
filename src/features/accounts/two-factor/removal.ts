import type { Applier } from '#features/accounts/pending-changes/pending-changes.ts';
import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import { fail } from '#kernel/error.ts';
import { writeAudit } from './audit-store.ts';
import { disable, findSettings } from './store.ts';

/** An operator removes a lost second factor: the user sets up another one. */
export const removalApplier = ({ notices }: { readonly notices: SecurityNotices }): Applier => ({
  async check(tx, { user_id }) {
    if (!(await findSettings(tx, user_id))?.is_enabled) throw notEnabled();
  },
  async apply(tx, { user_id }) {
    if (!(await disable(tx, user_id))) throw notEnabled();
    await writeAudit(tx, { user_id, action: 'disabled' });
    await notices.sendDue(tx, user_id);
  },
});

const notEnabled = () => fail('TWO_FACTOR_NOT_ENABLED', '2FA is not enabled');
