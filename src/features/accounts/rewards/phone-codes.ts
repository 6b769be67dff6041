import type { Messages } from '#features/messaging/messages/messages.ts';
import { type Attempts, decide } from '#kernel/access/attempts.ts';
import { type Requester, requesterMark } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { newCode } from '#kernel/secrets/token.ts';
import {
  countPhoneTry,
  dropPhoneCode,
  lockPhoneCode,
  type MemberProof,
  putPhoneCode,
} from './code-store.ts';
import { guessesFrom, verdictOf } from './codes.ts';
import { REWARD_TEXTS } from './texts.ts';

/** Decisions, rewards: a phone code lives five minutes. */
const CODE_MINUTES = 5;

export type PhoneCodeDeps = Pick<Kernel, 'clock' | 'vault'> & {
  readonly messages: Messages;
  readonly attempts: Attempts;
};

const receiverOf = ({ phone }: MemberProof): string => `phone code:${phone}`;
const contextOf = ({ phone, purpose }: MemberProof): string => `phone code:${phone}:${purpose}`;

const MEMBER_CHANNELS = { wa: 'whatsapp', sms: 'sms' } as const;

/** Sends a code; it voids an earlier one of the same requester. */
export async function sendPhoneCode(
  { clock, vault, messages }: PhoneCodeDeps,
  tx: Db,
  proof: MemberProof,
  { channel, by }: { readonly channel: keyof typeof MEMBER_CHANNELS; readonly by: Requester },
): Promise<{ otp_id: number; expires_at: string }> {
  const { phone, purpose } = proof;
  messages.require(MEMBER_CHANNELS[channel]);
  const code = newCode();
  const expires = new Date(clock.now().getTime() + CODE_MINUTES * 60_000);
  const expires_at = expires.toISOString();
  const fingerprint = vault.fingerprint(code, contextOf(proof));
  const asker = requesterMark(by);
  const otp_id = await putPhoneCode(tx, { phone, purpose, asker, fingerprint, expires_at });
  await messages.send(tx, by, {
    kind: 'code',
    channel: MEMBER_CHANNELS[channel],
    to: phone,
    purpose: 'rewards-phone-code',
    // The purpose is the caller's text, so a message to a stranger does not repeat it.
    words: inEachLanguage(REWARD_TEXTS, ({ phoneCode }) => ({
      text: phoneCode(code, CODE_MINUTES),
    })),
    validUntil: expires,
  });
  return { otp_id, expires_at };
}

/**
 * Accepts a code from its requester, once, and runs `proven` in the same transaction. All refusals have one answer.
 */
export function usePhoneCode(
  { clock, vault, attempts }: PhoneCodeDeps,
  db: Db,
  { code, by, ...proof }: MemberProof & { readonly code: string; readonly by: Requester },
  proven: (tx: Db) => Promise<void>,
): Promise<{ verified_at: string }> {
  const guesses = guessesFrom({ receivers: [receiverOf(proof)], ip: by.ip });
  const own = { ...proof, asker: requesterMark(by) };
  return decide(db, async (tx) => {
    await attempts.admit(tx, ...guesses);
    const sent = await lockPhoneCode(tx, own);
    const now = clock.now();
    const verdict = verdictOf(sent, vault.fingerprint(code, contextOf(proof)), now);
    if (verdict === 'wrong') {
      await countPhoneTry(tx, own);
      await attempts.recordFailure(tx, ...guesses);
    }
    if (verdict !== 'right') return fail('INVALID_CODE', 'Invalid or expired OTP');
    await dropPhoneCode(tx, own);
    await proven(tx);
    return { verified_at: now.toISOString() };
  });
}
