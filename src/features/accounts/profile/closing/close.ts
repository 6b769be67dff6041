import { emitUser } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { inEachLanguage, localDay } from '#kernel/localised.ts';
import { transact } from '#kernel/transact.ts';
import type { ProfileFeatureDeps } from '../deps.ts';
import { withOwnProof } from '../proven.ts';
import { lockProfile, type OwnProfile } from '../store.ts';
import { PROFILE_TEXTS } from '../texts.ts';
import { inTheWay } from './emptiness.ts';
import {
  type AccountClosing,
  beginClosing,
  cancelClosing,
  findClosing,
  isLastAdmin,
  lockClosing,
} from './store.ts';

const DAYS = 14;
const DAY_MS = 24 * 3600_000;

interface ClosingWish {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly current_password: string;
  readonly two_fa_token: string | undefined;
}

/**
 * Begins to close the caller's account, which has to be empty; one that is being closed stays so. Throws
 * ACCOUNT_NOT_EMPTY, LAST_ADMIN and what `withOwnProof` throws.
 */
export async function closeOwnAccount(
  deps: ProfileFeatureDeps,
  db: Db,
  wish: ClosingWish,
): Promise<AccountClosing> {
  const { user_id } = wish.caller;
  const closing = await withOwnProof(deps, db, wish, (tx, profile) =>
    begin(deps, tx, { ...wish, profile }),
  );
  deps.credentials.forget('user', user_id);
  return closing;
}

async function begin(
  deps: ProfileFeatureDeps,
  tx: Db,
  { caller, request, profile }: ClosingWish & { readonly profile: OwnProfile },
): Promise<AccountClosing | AppError> {
  const { user_id } = caller;
  const before = await lockClosing(tx, user_id);
  if (before?.status === 'CLOSING') return before;
  if (await isLastAdmin(tx, user_id))
    return fail('LAST_ADMIN', 'The last admin of an organisation cannot close their account');
  const items = await inTheWay(deps.closingChecks(), tx, user_id);
  if (items.length > 0)
    return fail('ACCOUNT_NOT_EMPTY', 'Something is left in the account', { details: { items } });
  const erases_at = new Date(deps.clock.now().getTime() + DAYS * DAY_MS).toISOString();
  const closing = await beginClosing(tx, user_id, erases_at);
  if (!closing) throw new Error(`The closing of ${user_id} did not begin`);
  await emitUser(tx, 'closing', user_id);
  await logActivity(tx, { action: 'ACCOUNT_CLOSING', actor: caller, request });
  await deps.messages.send(tx, THE_SERVICE, {
    channel: 'email',
    kind: 'notice',
    to: profile.email,
    purpose: 'account-closing',
    user_id,
    words: inEachLanguage(PROFILE_TEXTS, (texts, language) =>
      texts.closing(localDay(language, erases_at)),
    ),
  });
  return closing;
}

/** Keeps an account that is being closed; one that was kept stays so. Throws INVALID_STATUS where none is. */
export async function keepAccount(
  { db, credentials }: ProfileFeatureDeps,
  caller: UserCaller,
  request: RequestFacts,
): Promise<AccountClosing> {
  const { user_id } = caller;
  const kept = await transact(db, async (tx) => {
    await lockProfile(tx, user_id);
    const cancelled = await cancelClosing(tx, user_id);
    if (cancelled) {
      await emitUser(tx, 'closing_cancelled', user_id);
      await logActivity(tx, { action: 'ACCOUNT_CLOSING_CANCELLED', actor: caller, request });
      return cancelled;
    }
    const found = await findClosing(tx, user_id);
    if (found?.status === 'CANCELLED') return found;
    throw fail('INVALID_STATUS', 'The account is not being closed', {
      status: 409,
      details: { status: found?.status ?? 'OPEN', allowed: ['CLOSING'] },
    });
  });
  credentials.forget('user', user_id);
  return kept;
}
