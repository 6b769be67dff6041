import { randomUUID } from 'node:crypto';
import { changeUser, isUserEmailTaken } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { requesterOf, THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { digestOf, newToken } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import type { ProfileFeatureDeps } from './deps.ts';
import { withOwnProof } from './proven.ts';
import {
  confirmEmailChange,
  type EmailChange,
  findEmailChange,
  insertEmailChange,
  lockProfile,
  undoEmailChange,
} from './store.ts';
import { PROFILE_TEXTS } from './texts.ts';

const CONFIRMS_MS = 24 * 3600_000;
const UNDO_MS = 72 * 3600_000;
export const NEW_EMAIL_PAGE = '/confirm-new-email';
export const UNDO_EMAIL_PAGE = '/undo-new-email';

const emailInUse = () => fail('EMAIL_IN_USE', 'Email already in use');
const invalidLink = () => fail('INVALID_TOKEN', 'Invalid or used link');

interface EmailWish {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly new_email: string;
  readonly current_password: string;
  readonly two_fa_token?: string | undefined;
}

/**
 * Begins a change of address: a link to the new one, and at once a notice to the old one with a link that undoes it.
 * Throws EMAIL_IN_USE.
 */
export function askForEmail(
  deps: ProfileFeatureDeps,
  db: Db,
  { new_email, ...proof }: EmailWish,
): Promise<{ new_email: string; expires_at: string }> {
  const { clock, messages, publicUrl } = deps;
  const { caller, request } = proof;
  const sent = { ...proof, two_fa_token: proof.two_fa_token };
  return withOwnProof(deps, db, sent, async (tx, profile) => {
    const { user_id, email: old_email } = profile;
    if (new_email === old_email || (await isUserEmailTaken(tx, profile, new_email)))
      return emailInUse();
    const now = clock.now().getTime();
    const [link, undo] = [newToken(16), newToken(16)];
    const confirms_until = new Date(now + CONFIRMS_MS);
    await insertEmailChange(tx, {
      change_id: randomUUID(),
      user_id,
      old_email,
      new_email,
      digest: link.digest,
      undo_digest: undo.digest,
      confirms_until,
      undo_until: new Date(now + UNDO_MS),
    });
    const by = requesterOf(caller, request);
    const mail = { channel: 'email', user_id } as const;
    await messages.send(tx, by, {
      ...mail,
      kind: 'invitation',
      to: new_email,
      purpose: 'new-email',
      words: inEachLanguage(PROFILE_TEXTS, ({ confirm }) =>
        confirm(`${publicUrl()}${NEW_EMAIL_PAGE}?token=${link.token}`),
      ),
    });
    await messages.send(tx, THE_SERVICE, {
      ...mail,
      kind: 'notice',
      to: old_email,
      purpose: 'undo-email',
      words: inEachLanguage(PROFILE_TEXTS, ({ undo: words }) =>
        words(new_email, `${publicUrl()}${UNDO_EMAIL_PAGE}?token=${undo.token}`),
      ),
    });
    await logActivity(tx, { action: 'EMAIL_CHANGE_REQUESTED', actor: caller, request });
    return { new_email, expires_at: confirms_until.toISOString() };
  });
}

/** Whether a link would still do something, for the page behind it. */
export async function isEmailLinkOpen(
  db: Db,
  link: 'confirm' | 'undo',
  token: string,
  now: Date,
): Promise<boolean> {
  const change = await findEmailChange(db, link, digestOf(token));
  if (!change || change.over_at !== null) return false;
  if (link === 'undo') return new Date(change.undo_until) > now;
  return change.confirmed_at === null && new Date(change.confirms_until) > now;
}

/** Takes the new address, by its link, once. Throws INVALID_TOKEN, LINK_EXPIRED and EMAIL_IN_USE. */
export async function confirmNewEmail(
  deps: ProfileFeatureDeps,
  token: string,
  request: RequestFacts,
): Promise<void> {
  const change = await requireChange(deps, 'confirm', token);
  if (change.confirmed_at === null && new Date(change.confirms_until) <= deps.clock.now())
    throw fail('LINK_EXPIRED', 'The link has expired');
  const { user_id, new_email } = change;
  await transact(deps.db, async (tx) => {
    const before = await lockProfile(tx, user_id);
    if (!(await confirmEmailChange(tx, change.change_id))) throw invalidLink();
    if (await isUserEmailTaken(tx, before, new_email)) throw emailInUse();
    const moved = { before, change: { email: new_email }, isProven: true } as const;
    await changeUser(deps, tx, THE_SERVICE, moved);
    const who = { actor: null, client_id: before.client_id, subject_user_id: user_id };
    await logActivity(tx, { action: 'EMAIL_CHANGED', ...who, request });
  });
}

/** Puts the old address back, by its owner's link, and ends every log-in. Throws like the above. */
export async function undoEmail(
  deps: ProfileFeatureDeps,
  token: string,
  request: RequestFacts,
): Promise<void> {
  const change = await requireChange(deps, 'undo', token);
  if (new Date(change.undo_until) <= deps.clock.now())
    throw fail('LINK_EXPIRED', 'The link has expired');
  const { user_id, old_email } = change;
  await transact(deps.db, async (tx) => {
    const before = await lockProfile(tx, user_id);
    if (!(await undoEmailChange(tx, change))) throw invalidLink();
    if (before.email !== old_email) {
      if (await isUserEmailTaken(tx, before, old_email)) throw emailInUse();
      const back = { before, change: { email: old_email }, isProven: true } as const;
      await changeUser(deps, tx, THE_SERVICE, back);
    }
    await deps.sessions.revokeOthers(tx, user_id);
    await deps.codes.closeChallenges(tx, user_id);
    const who = { actor: null, client_id: before.client_id, subject_user_id: user_id };
    await logActivity(tx, { action: 'EMAIL_CHANGE_UNDONE', ...who, request });
  });
  deps.credentials.forget('user', user_id);
}

async function requireChange(
  { db }: Pick<ProfileFeatureDeps, 'db'>,
  link: 'confirm' | 'undo',
  token: string,
): Promise<EmailChange> {
  const change = await findEmailChange(db, link, digestOf(token));
  if (!change || change.over_at !== null) throw invalidLink();
  return change;
}
