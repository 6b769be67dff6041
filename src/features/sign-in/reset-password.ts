import { logActivity } from '#features/activity/activity.ts';
import type { Messages } from '#features/messages/messages.ts';
import type { PasswordGuesses } from '#features/password-guesses/password-guesses.ts';
import type { LoginCodes } from '#features/two-factor/two-factor.ts';
import { type Asker, askerOf } from '#kernel/access/asker.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { fail } from '#kernel/http/error.ts';
import type { RequestFacts } from '#kernel/http/route.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf, newToken } from '#kernel/secrets/token.ts';
import { type Line, ours } from '#kernel/wording.ts';
import {
  dropResetLink,
  findResetLink,
  insertResetLink,
  lockByEmail,
  type Resettable,
  setPassword,
  takeResetLink,
} from './store.ts';

/** Decisions, log-in: a reset link lives an hour. */
const LINK_MS = 3600_000;
/** So many links at a time; further requests send nothing, so that nobody fills a mailbox. */
const LINKS_MAX = 5;
export const RESET_PAGE = '/reset-password';

export interface ResetRequest {
  readonly email: string;
  readonly by: Asker;
}

type JobDeps = Pick<Kernel, 'db' | 'clock' | 'publicUrl'> & { readonly messages: Messages };

/** A job, so that the request takes the same time whether or not anybody has that e-mail. */
export const resetLinkJob = (deps: JobDeps): Job<ResetRequest> =>
  defineJob<ResetRequest>({
    name: 'sign-in.reset-link',
    async run({ email, by }, { settle }) {
      await transact(deps.db, async (tx) => {
        for (const user of await lockByEmail(tx, email)) await mailLink(deps, tx, by, user);
        await settle(tx);
      });
      return undefined;
    },
  });

async function mailLink(
  { clock, publicUrl, messages }: JobDeps,
  tx: Db,
  by: Asker,
  user: Resettable,
): Promise<void> {
  const { user_id } = user;
  const now = clock.now();
  const { token, digest } = newToken();
  const expires_at = new Date(now.getTime() + LINK_MS);
  if (!(await insertResetLink(tx, { digest, user_id, now, expires_at }, LINKS_MAX))) return;
  const sent = await messages.send(tx, by, {
    kind: 'reset',
    channel: 'email',
    to: user.email,
    purpose: 'password-reset',
    user_id,
    subject: 'Reset your Archipay password',
    text: linesOf(user, `${publicUrl()}${RESET_PAGE}?token=${token}`),
  });
  // Else whoever has had too many sent would use up the links of somebody else.
  if (sent === undefined) await dropResetLink(tx, digest);
}

const linesOf = ({ username, client_alias }: Resettable, link: string): Line[] => [
  `Somebody asked to reset the password of ${username} at ${client_alias}.`,
  ours(`Link: ${link}`),
  'The link works once, within an hour. If it was not you, there is nothing to do.',
];

type ResetDeps = Pick<Kernel, 'clock' | 'passwords' | 'sessions' | 'identities'> & {
  readonly messages: Messages;
  readonly codes: LoginCodes;
  readonly guesses: PasswordGuesses;
};

/** Sets a new password by a link; every session and half-finished log-in of the user ends. */
export async function resetPassword(
  deps: ResetDeps,
  db: Db,
  { token, password }: { readonly token: string; readonly password: string },
  request: RequestFacts,
): Promise<void> {
  const { clock, passwords, sessions, identities, messages, codes, guesses } = deps;
  const digest = digestOf(token);
  await requireLink(db, digest, clock.now());
  // Hashed before the transaction, since that takes long; the link is taken inside it.
  const hash = await passwords.hash(password, request.ip);
  const owner = await transact(db, async (tx) => {
    const user_id = await takeResetLink(tx, digest, clock.now());
    if (user_id === undefined) throw invalidLink();
    const { client_id, email } = await setPassword(tx, user_id, hash, clock.now());
    await sessions.revokeOthers(tx, user_id);
    await codes.forget(tx, user_id);
    await guesses.renew(tx, user_id, request.ip);
    const who = { client_id, subject_user_id: user_id };
    await logActivity(tx, { action: 'PASSWORD_RESET', actor: null, ...who, request });
    await messages.send(tx, askerOf(null, request), {
      kind: 'notice',
      channel: 'email',
      to: email,
      purpose: 'password-changed',
      user_id,
      subject: 'Your Archipay password was changed',
      text: ['Your password was just changed and you were logged out everywhere.'],
    });
    return user_id;
  });
  // After the commit: no session read meanwhile stays remembered as open.
  identities.forget('user', owner);
}

const invalidLink = () => fail('INVALID_TOKEN', 'Invalid or expired reset link');

async function requireLink(db: Db, digest: Buffer, now: Date): Promise<void> {
  const link = await findResetLink(db, digest);
  if (!link) throw invalidLink();
  if (!isOpen(link, now)) throw fail('LINK_EXPIRED', 'Reset link has expired');
}

const isOpen = ({ expires_at }: { expires_at: string }, now: Date): boolean =>
  new Date(expires_at) > now;

/** Whether a link would still be taken, for the page behind it. */
export async function isGoodLink(db: Db, token: string, now: Date): Promise<boolean> {
  const link = await findResetLink(db, digestOf(token));
  return link !== undefined && isOpen(link, now);
}
