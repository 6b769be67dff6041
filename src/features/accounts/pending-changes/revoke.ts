import { logActivities } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { emitChange } from './events.ts';
import { type PendingChange, type Proposers, takeOf, usersOfOrders } from './store.ts';
import { voidedMail } from './text.ts';

interface RevokeDeps {
  readonly messages: Messages;
}

const AT_ONCE = 500;

/** Who has taken the authority away; nobody where the order itself found that it is gone. */
interface By {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

/**
 * Calls off all that a user, or all users of a client, have ordered or proposed, in the transaction that stops them.
 * Answers what it was, the oldest first.
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

/** Logs and tells that they count no more. The owners hear of it who were mailed that an order is on its way. */
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
      // To stop somebody must not fail by a full mailbox.
      kind: 'news',
      channel: 'email',
      to: owner.email,
      purpose: 'pending-change',
      user_id: owner.user_id,
      ...voidedMail(change),
    });
  }
}
