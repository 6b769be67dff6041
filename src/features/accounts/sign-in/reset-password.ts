import type { PasswordGuesses } from '#features/accounts/password-guesses/password-guesses.ts';
import type { PendingChanges } from '#features/accounts/pending-changes/pending-changes.ts';
import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import type { LoginCodes } from '#features/accounts/two-factor/two-factor.ts';
import {
  dropResetLink,
  findResetLink,
  insertResetLink,
  resetPasswordHash,
  takeResetLink,
} from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { digestOf, newToken } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { type AllAdditions, changesInWords } from './added-since.ts';
import { lockByEmail, type Resettable } from './store.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

/** Decisions, log-in: a reset link lives an hour. */
const LINK_MS = 3600_000;
/** The most links at a time; further requests send nothing, so that no mailbox is flooded. */
const LINKS_MAX = 5;
export const RESET_PAGE = '/reset-password';

export interface ResetRequest {
  readonly email: string;
  readonly by: Requester;
  /** What the request asked for; jobs of earlier versions do not say. */
  readonly language?: PageLanguage;
}

export type ResetLinkDeps = Pick<Kernel, 'db' | 'clock' | 'publicUrl'> & {
  readonly messages: Messages;
  readonly additions: AllAdditions;
};

/** A job, so that the request takes the same time for known and unknown e-mails. */
export const resetLinkJob = (deps: ResetLinkDeps): Job<ResetRequest> =>
  defineJob<ResetRequest>({
    name: 'sign-in.reset-link',
    async run({ email, ...asked }, { completeWithin }) {
      await transact(deps.db, async (tx) => {
        for (const user of await lockByEmail(tx, email)) await sendLink(deps, tx, asked, user);
        await completeWithin(tx);
      });
      return undefined;
    },
  });

async function sendLink(
  { clock, publicUrl, messages, additions }: ResetLinkDeps,
  tx: Db,
  { by, language }: Omit<ResetRequest, 'email'>,
  user: Resettable,
): Promise<void> {
  const { user_id, password_reset_at, username, client_alias } = user;
  const now = clock.now();
  const { token, digest } = newToken();
  const expires_at = new Date(now.getTime() + LINK_MS);
  if (!(await insertResetLink(tx, { digest, user_id, now, expires_at }, LINKS_MAX))) return;
  const added = await additions.list(tx, user_id, password_reset_at);
  const client = username === client_alias ? undefined : client_alias;
  const link = `${publicUrl()}${RESET_PAGE}?token=${token}`;
  const sent = await messages.send(tx, by, {
    kind: 'reset',
    channel: 'email',
    to: user.email,
    purpose: 'password-reset',
    user_id,
    words: inEachLanguage(SIGN_IN_TEXTS, ({ reset }, one) =>
      reset({ username, client, link, added: changesInWords(added, one) }),
    ),
    ...(language && { language }),
  });
  // Otherwise a caller over the budget would use up the links of another.
  if (sent === undefined) await dropResetLink(tx, digest);
}

export type ResetDeps = Pick<Kernel, 'clock' | 'passwords' | 'sessions' | 'credentials'> & {
  readonly codes: LoginCodes;
  readonly guesses: PasswordGuesses;
  readonly notices: SecurityNotices;
  readonly changes: PendingChanges;
  readonly additions: AllAdditions;
};

export interface Reset {
  readonly token: string;
  readonly password: string;
  /** Whether the additions since the last reset are removed. */
  readonly undo: boolean;
}

/**
 * Sets a new password by a link; ends every session and half-finished log-in of the user. Answers how many additions
 * were removed.
 */
export async function resetPassword(
  deps: ResetDeps,
  db: Db,
  { token, password, undo }: Reset,
  request: RequestFacts,
): Promise<number> {
  const { clock, passwords, sessions, credentials, notices, codes, guesses } = deps;
  const digest = digestOf(token);
  const { user_id: owner } = await requireLink(db, digest, clock.now());
  // Hashed before the transaction, since that takes long; the transaction takes the link.
  const hash = await passwords.hash(password, request.ip);
  const undone = await transact(db, async (tx) => {
    if (undo) await deps.additions.lock(tx, owner);
    const taken = await takeResetLink(tx, digest, clock.now());
    if (!taken) throw invalidLink();
    const { user_id, password_reset_at } = taken;
    const { client_id } = await resetPasswordHash(tx, user_id, hash, clock.now());
    await sessions.revokeOthers(tx, user_id);
    await codes.closeChallenges(tx, user_id);
    await guesses.recordNewPassword(tx, user_id, request.ip);
    const removed = undo ? await undoAll(deps, tx, user_id, password_reset_at) : 0;
    const who = { client_id, subject_user_id: user_id };
    const details = { undone: removed };
    await logActivity(tx, { action: 'PASSWORD_RESET', actor: null, ...who, details, request });
    await notices.sendDue(tx, user_id);
    return removed;
  });
  // After the commit: no session that is read meanwhile stays cached as open.
  credentials.forget('user', owner);
  return undone;
}

/** The user has not requested the changes that wait for their consent either. */
async function undoAll(
  { additions, changes }: Pick<ResetDeps, 'additions' | 'changes'>,
  tx: Db,
  user_id: number,
  since: string | null,
): Promise<number> {
  await changes.forget(tx, user_id, 'proposals');
  return additions.undo(tx, user_id, since);
}

const invalidLink = () => fail('INVALID_TOKEN', 'Invalid or expired reset link');

async function requireLink(db: Db, digest: Buffer, now: Date) {
  const link = await findResetLink(db, digest);
  if (!link) throw invalidLink();
  if (!isOpen(link, now)) throw fail('LINK_EXPIRED', 'Reset link has expired');
  return link;
}

const isOpen = ({ expires_at }: { expires_at: string }, now: Date): boolean =>
  new Date(expires_at) > now;

/** The link, if it is still valid, for the page behind it. */
export async function findGoodLink(db: Db, token: string, now: Date) {
  const link = await findResetLink(db, digestOf(token));
  return link && isOpen(link, now) ? link : undefined;
}
