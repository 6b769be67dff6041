import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { lockUserInScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { type ChangeOutcome, emitChange } from './events.ts';
import type { Applier, Appliers } from './propose.ts';
import { recordVoid } from './revoke.ts';
import { clientOf, findByLink, type PendingChange, takeByLink, takeDue } from './store.ts';

export type DecideDeps = Pick<Kernel, 'clock' | 'log'> & {
  readonly appliers: Appliers;
  readonly messages: Messages;
};

const noSuchLink = () => fail('INVALID_TOKEN', 'This link is invalid, was used or has lapsed');

/** Applies the user's answer by the mailed link, which counts once. Throws INVALID_TOKEN. */
export function decideByLink(
  { clock, appliers }: DecideDeps,
  db: Db,
  { token, confirmed }: { readonly token: string; readonly confirmed: boolean },
  request: RequestFacts,
): Promise<PendingChange> {
  const digest = digestOf(token);
  return transact(db, async (tx) => {
    const now = clock.now();
    const change = await findByLink(tx, digest, now);
    if (!change) throw noSuchLink();
    const applier = appliers[change.kind];
    await hold(tx, applier, change);
    // Of several concurrent uses of the link this lets one continue.
    if (!(await takeByLink(tx, digest, { now, confirmed }))) throw noSuchLink();
    if (confirmed) await applier.apply(tx, change);
    await log(tx, change, confirmed ? 'CHANGE_CONFIRMED' : 'CHANGE_REFUSED', { request });
    return change;
  });
}

/** Applies orders of operators that are due. Answers the errors: one failure does not stop the others. */
export async function carryOutAll(
  deps: DecideDeps & Pick<Kernel, 'db'>,
  due: readonly PendingChange[],
): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const change of due)
    await carryOut(deps, deps.db, change).catch((error: unknown) => faults.push(error));
  return faults;
}

/** Applies it if it still exists and is possible. */
async function carryOut(deps: DecideDeps, db: Db, change: PendingChange): Promise<void> {
  const { clock, log: logger, appliers } = deps;
  const applier = appliers[change.kind];
  try {
    await transact(db, async (tx) => {
      await hold(tx, applier, change);
      const taken = await takeDue(tx, change.change_id, clock.now());
      if (taken === 'void') await recordVoid(deps, tx, [change]);
      if (taken !== 'due') return;
      await applier.apply(tx, change);
      await log(tx, change, 'CHANGE_TOOK_EFFECT');
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // It will stay impossible: another user has that address now, for instance.
    logger.warn({ err: error, change_id: change.change_id }, 'an order cannot be carried out');
    await transact(db, async (tx) => {
      if (await takeDue(tx, change.change_id, clock.now()))
        await log(tx, change, 'CHANGE_FAILED', { code: error.code });
    });
  }
}

/** Locks the user's row always before the user's pending changes, so that no two transactions deadlock. */
async function hold(tx: Db, applier: Applier, change: PendingChange): Promise<void> {
  await applier.lock?.(tx, change);
  await lockUserInScope(tx, {}, change.user_id);
}

interface More {
  readonly request?: RequestFacts;
  readonly code?: string;
}

/** Its record has the requester; the actor is the user, or none. */
async function log(
  tx: Db,
  change: PendingChange,
  action: keyof typeof BECAME,
  { request, code }: More = {},
) {
  const { user_id, change_id, kind, subject, proposed_by } = change;
  const client_id = await clientOf(tx, user_id);
  await logActivity(tx, {
    action,
    actor: null,
    client_id,
    subject_user_id: user_id,
    details: { change_id, kind, subject, proposed_by, ...(code && { code }) },
    ...(request && { request }),
  });
  emitChange(tx, BECAME[action], change, client_id);
}

const BECAME = {
  CHANGE_CONFIRMED: 'confirmed',
  CHANGE_REFUSED: 'refused',
  CHANGE_TOOK_EFFECT: 'took_effect',
  CHANGE_FAILED: 'failed',
} as const satisfies Readonly<Record<string, ChangeOutcome>>;
