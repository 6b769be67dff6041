import type {
  Applier,
  PendingChanges,
} from '#features/accounts/pending-changes/pending-changes.ts';
import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { type Requester, THE_SERVICE } from '#kernel/access/requester.ts';
import { requireUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { sqlState } from '#kernel/db/sql-errors.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { askToConfirm } from './confirm.ts';
import { emitUser } from './events.ts';
import { forgetMailedLinks } from './link-store.ts';
import {
  confirmUser,
  isUserEmailTaken,
  type ProfileChange,
  unconfirm,
  updateProfile,
} from './store.ts';

export type AddressDeps = Pick<Kernel, 'config' | 'clock' | 'publicUrl'> & {
  readonly messages: Messages;
  readonly notices: SecurityNotices;
  readonly changes: PendingChanges;
};

export interface ChangeOfUser {
  readonly before: { readonly user_id: number; readonly email: string };
  readonly change: ProfileChange;
  /** A link to the new address has proven it already. */
  readonly isProven?: true;
}

/**
 * Changes name, phone or address of a user whose row is locked, and notifies the old address of important changes. A
 * new address ends the links mailed to the old one, and has to be confirmed. Throws EMAIL_IN_USE.
 */
export async function changeUser(
  deps: AddressDeps,
  tx: Db,
  by: Requester,
  { before, change, isProven }: ChangeOfUser,
) {
  const { user_id } = before;
  const after = await updateProfile(tx, user_id, change).catch((error: unknown) => {
    if (sqlState(error) === '23505') throw emailInUse();
    throw error;
  });
  if (after.email !== before.email) {
    await forgetMailedLinks(tx, user_id);
    await deps.changes.forget(tx, user_id, 'all');
    if (isProven) await confirmUser(tx, user_id, deps.clock.now());
    else {
      await unconfirm(tx, user_id);
      await askToConfirm(deps, tx, by, after);
    }
  }
  const previous = after.email === before.email ? undefined : { email: before.email };
  await emitUser(tx, 'updated', user_id, previous);
  await deps.notices.sendDue(tx, user_id);
  return after;
}

const emailInUse = () => fail('EMAIL_IN_USE', 'Email already in use');

/** A new address that waits for the user's consent, or for its time. */
export const addressApplier = (deps: AddressDeps): Applier => ({
  async check(tx, { user_id, subject }) {
    const user = await requireUser(tx, {}, user_id);
    if (await isUserEmailTaken(tx, user, subject)) throw emailInUse();
  },
  async apply(tx, { user_id, subject: email }) {
    const user = await requireUser(tx, {}, user_id);
    await changeUser(deps, tx, THE_SERVICE, { before: user, change: { email } });
  },
});
