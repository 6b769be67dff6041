import { logActivities } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { emitChange } from './events.ts';
import { type PendingChange, type Proposers, takeOf, usersOfOrders } from './store.ts';
import { voidedMail } from './words.ts';

interface RevokeDeps {
  readonly messages: Messages;
}

const AT_ONCE = 500;

/** The admin who took the authority away; null where the order itself finds it gone. */
interface By {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

/**
 * Voids all orders and proposals of a user, or of all users of a client, in the transaction that suspends them.
 * Answers them, oldest first.
 */
export async function voidChangesOf(
  deps: RevokeDeps,
  tx: Db,
  of: Proposers,
  by: By,
): Promise<PendingChange[]> {
  const all: PendingChange[] = [];
  for (let taken = AT_ONCE; taken === AT_ONCE; ) {
    const gone = await takeOf(tx, of, AT_ONCE);
    await recordVoid(deps, tx, gone, by);
    all.push(...gone);
    taken = gone.length;
  }
  return all.sort((a, b) => a.change_id - b.change_id);
}

/** Logs and emits that they are void, and mails the owners whom a mail has announced an order to. */
export async function recordVoid(
  { messages }: RevokeDeps,
  tx: Db,
  changes: readonly PendingChange[],
  by?: By,
): Promise<void> {
  if (changes.length === 0) return;
  const owners = await usersOfOrders(
    tx,
    changes.map(({ user_id }) => user_id),
  );
  const known = changes.flatMap((change) => {
    const owner = owners.get(change.user_id);
    return owner ? [{ change, owner }] : [];
  });
  await logActivities(
    tx,
    known.map(({ change: { change_id, kind, subject, proposed_by, user_id }, owner }) => ({
      action: 'CHANGE_VOIDED',
      actor: by?.caller ?? null,
      client_id: owner.client_id,
      subject_user_id: user_id,
      details: { change_id, kind, subject, proposed_by },
      ...(by && { request: by.request }),
    })),
  );
  for (const { change, owner } of known) {
    emitChange(tx, 'voided', change, owner.client_id);
    if (change.takes_effect_at === null) continue;
    await messages.send(tx, THE_SERVICE, {
      // A full mailbox must not keep an admin from suspending a user.
      kind: 'news',
      channel: 'email',
      to: owner.email,
      purpose: 'pending-change',
      user_id: owner.user_id,
      words: voidedMail(change),
    });
  }
}
