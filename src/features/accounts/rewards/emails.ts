import type { Messages } from '#features/messaging/messages/messages.ts';
import { type Attempts, decide } from '#kernel/access/attempts.ts';
import { type Requester, requesterMark } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { newCode } from '#kernel/secrets/token.ts';
import { countEmailTry, findEmailCode, forgetEmailCodes, putEmailCode } from './code-store.ts';
import { guessesFrom, verdictOf } from './codes.ts';
import { emailTaken, isEmailTaken, lockMember, setEmail } from './member-store.ts';
import { type Reward, reward } from './points.ts';
import { REWARD_TEXTS } from './texts.ts';

/** Contract, Limits: an e-mail code is valid for ten minutes. */
const CODE_MINUTES = 10;

export type EmailDeps = Pick<Kernel, 'clock' | 'vault'> & {
  readonly messages: Messages;
  readonly attempts: Attempts;
};

/** The logged-in member, and the origin of the request. */
export interface MemberPerson {
  readonly userx_id: number;
  readonly by: Requester;
}

const contextOf = (userx_id: number): string => `userx email:${userx_id}`;

/** Mails a code to the address; it replaces any code of the same requester. */
export async function sendEmailCode(
  { clock, vault, messages }: EmailDeps,
  tx: Db,
  { userx_id, by }: MemberPerson,
  email: string,
): Promise<void> {
  messages.require('email');
  const member = await lockMember(tx, userx_id);
  if (member.emailx?.toLowerCase() === email.toLowerCase())
    throw fail('CONFLICT', 'Email is already verified');
  if (await isEmailTaken(tx, userx_id, email)) throw emailTaken();
  const code = newCode();
  const expires_at = new Date(clock.now().getTime() + CODE_MINUTES * 60_000);
  await putEmailCode(tx, {
    userx_id,
    asker: requesterMark(by),
    email,
    fingerprint: vault.fingerprint(code, contextOf(userx_id)),
    expires_at,
  });
  await messages.send(tx, by, {
    kind: 'code',
    channel: 'email',
    to: email,
    purpose: 'rewards-email-code',
    words: inEachLanguage(REWARD_TEXTS, ({ emailCode }) => emailCode(code, CODE_MINUTES)),
    validUntil: expires_at,
  });
}

/** Accepts a mailed code from its requester; the address is then proven, and rewarded the first time. */
export function confirmEmail(
  deps: EmailDeps,
  db: Db,
  { userx_id, by }: MemberPerson,
  code: string,
): Promise<Reward> {
  const { clock, vault, messages, attempts } = deps;
  const asker = requesterMark(by);
  const guesses = guessesFrom({ receivers: [contextOf(userx_id)], ip: by.ip });
  return decide(db, async (tx) => {
    await attempts.admit(tx, ...guesses);
    const member = await lockMember(tx, userx_id);
    const sent = await findEmailCode(tx, userx_id, asker);
    const verdict = verdictOf(sent, vault.fingerprint(code, contextOf(userx_id)), clock.now());
    if (verdict === 'expired') return fail('CODE_EXPIRED', 'Verification code has expired');
    if (!sent || verdict !== 'right') {
      if (verdict === 'wrong') {
        await countEmailTry(tx, userx_id, asker);
        await attempts.recordFailure(tx, ...guesses);
      }
      return fail('INVALID_CODE', 'Invalid verification code');
    }
    await forgetEmailCodes(tx, userx_id);
    await setEmail(tx, userx_id, sent.email);
    return reward(tx, messages, member, 'verify_email');
  });
}
