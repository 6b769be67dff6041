import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { confirmationLink } from './accounts.ts';
import { emitUser } from './events.ts';
import { countOpenLinks, findConfirmation, takeConfirmation } from './link-store.ts';
import { confirmUser, lockUnconfirmed } from './store.ts';
import { USER_TEXTS } from './texts.ts';

const TOKEN = /^[0-9a-f]{32}$/;
/** The most links at a time, so that no mailbox is flooded. */
const LINKS_MAX = 5;

type ConfirmDeps = Pick<Kernel, 'db' | 'clock' | 'credentials'>;

/** The state of a mailed link: `open`, used before, or nothing. */
export async function stateOfLink(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  token: string,
): Promise<'open' | 'used' | 'none'> {
  if (!TOKEN.test(token)) return 'none';
  const link = await findConfirmation(db, digestOf(token));
  if (link?.purpose === 'confirmed') return 'used';
  return link && new Date(link.expires_at) > clock.now() ? 'open' : 'none';
}

/** Confirms the user of the link (contract: Account confirmation); the link counts once. */
export async function confirmByLink(
  deps: ConfirmDeps,
  token: string,
  request: RequestFacts,
): Promise<'confirmed' | 'used' | 'none'> {
  if (!TOKEN.test(token)) return 'none';
  const now = deps.clock.now();
  const confirmed = await transact(deps.db, async (tx) => {
    const link = await takeConfirmation(tx, digestOf(token), now);
    const user = link && (await confirmUser(tx, link.user_id, now));
    if (!user) return undefined;
    const { user_id, client_id } = user;
    await emitUser(tx, 'updated', user_id);
    const subject = { client_id, subject_user_id: user_id, request };
    await logActivity(tx, { action: 'USER_CONFIRM', actor: null, ...subject });
    return user;
  });
  if (!confirmed) return (await stateOfLink(deps, token)) === 'used' ? 'used' : 'none';
  deps.credentials.forget('user', confirmed.user_id);
  return 'confirmed';
}

export interface ConfirmationMailDeps extends Pick<Kernel, 'clock' | 'config' | 'publicUrl'> {
  readonly messages: Messages;
}

interface ToConfirm extends Pick<AskedAgain, 'language'> {
  readonly user_id: number;
  readonly username: string;
  readonly email: string;
}

/** Asks a user with a new address, or one who requests it, to confirm that it is theirs. */
export async function askToConfirm(
  deps: ConfirmationMailDeps,
  tx: Db,
  by: Requester,
  { user_id, username, email, language }: ToConfirm,
): Promise<void> {
  const link = await confirmationLink(tx, deps, user_id);
  await deps.messages.send(tx, by, {
    kind: 'invitation',
    channel: 'email',
    to: email,
    words: inEachLanguage(USER_TEXTS, ({ confirm }) => confirm(username, link)),
    ...(language && { language }),
    purpose: 'email-confirmation',
    user_id,
  });
}

export interface AskedAgain {
  readonly email: string;
  readonly by: Requester;
  /** What the request asked for; jobs of earlier versions do not say. */
  readonly language?: PageLanguage;
}

/** A job, so that the request takes the same time for known and unknown e-mails. */
export const resendJob = (deps: ConfirmationMailDeps & Pick<Kernel, 'db'>): Job<AskedAgain> =>
  defineJob<AskedAgain>({
    name: 'users.resend-confirmation',
    async run({ email, by, ...asked }, { completeWithin }) {
      await transact(deps.db, async (tx) => {
        for (const user of await lockUnconfirmed(tx, email)) {
          const open = await countOpenLinks(tx, user.user_id, deps.clock.now());
          if (open < LINKS_MAX) await askToConfirm(deps, tx, by, { ...user, ...asked });
        }
        await completeWithin(tx);
      });
      return undefined;
    },
  });
