import { randomUUID } from 'node:crypto';
import { changeUser } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { decide } from '#kernel/access/attempts.ts';
import { clientHomeOf } from '#kernel/access/client-home.ts';
import { requesterMark, requesterOf, THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { requirePhone } from '#kernel/phone.ts';
import { newCode } from '#kernel/secrets/token.ts';
import type { ProfileFeatureDeps } from './deps.ts';
import { withOwnProof } from './proven.ts';
import {
  countPhoneChangeTry,
  dropPhoneChange,
  lockPhoneChange,
  lockProfile,
  putPhoneChange,
} from './store.ts';
import { PROFILE_TEXTS } from './texts.ts';

const CODE_MS = 5 * 60_000;
const PAUSE_MS = 30_000;
const TRIES_MAX = 5;
const CHANNELS = { wa: 'whatsapp', sms: 'sms' } as const;

const contextOf = (otp_id: string): string => `phone change:${otp_id}`;

interface PhoneWish {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly new_phone: string;
  readonly channel: keyof typeof CHANNELS;
  readonly current_password: string;
}

/** Sends a code to the new number. Throws RATE_LIMITED, NUMBER_NOT_SERVED and PROVIDER_NOT_CONFIGURED. */
export async function askForPhone(
  deps: ProfileFeatureDeps,
  db: Db,
  { new_phone: given, channel, ...proof }: PhoneWish,
): Promise<{ otp_id: string; expires_at: string }> {
  const { clock, vault, messages } = deps;
  const { caller, request } = proof;
  const home = await clientHomeOf(db, caller.client_id);
  const new_phone = requirePhone(given, home, 'new_phone');
  messages.require(CHANNELS[channel]);
  return withOwnProof(deps, db, proof, async (tx, { user_id }) => {
    const now = clock.now().getTime();
    const [otp_id, code] = [randomUUID(), newCode()];
    const expires_at = new Date(now + CODE_MS);
    const by = requesterOf(caller, request);
    const put = await putPhoneChange(tx, {
      user_id,
      otp_id,
      asker: requesterMark(by),
      new_phone,
      fingerprint: vault.fingerprint(code, contextOf(otp_id)),
      resend_at: new Date(now + PAUSE_MS),
      expires_at,
    });
    if (!put)
      return fail('RATE_LIMITED', 'A code was already sent, wait before you request another', {
        retryAfter: PAUSE_MS / 1000,
      });
    await messages.send(tx, by, {
      kind: 'code',
      channel: CHANNELS[channel],
      to: new_phone,
      purpose: 'new-phone',
      user_id,
      words: inEachLanguage(PROFILE_TEXTS, ({ phoneCode }) => ({ text: phoneCode(code) })),
      validUntil: expires_at,
    });
    return { otp_id, expires_at: expires_at.toISOString() };
  });
}

interface PhoneCode {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly otp_id: string;
  readonly code: string;
}

/** Takes the new number, by its code, and tells the old one. Throws INVALID_CODE and CODE_EXPIRED. */
export function confirmPhone(
  deps: ProfileFeatureDeps,
  db: Db,
  { caller, request, otp_id, code }: PhoneCode,
): Promise<string> {
  const { clock, vault } = deps;
  const { user_id } = caller;
  return decide(db, async (tx): Promise<string | AppError> => {
    const before = await lockProfile(tx, user_id);
    const asker = requesterMark(requesterOf(caller, request));
    const sent = await lockPhoneChange(tx, { user_id, otp_id, asker });
    if (!sent) return fail('INVALID_CODE', 'Invalid code');
    if (sent.tries >= TRIES_MAX || new Date(sent.expires_at) <= clock.now())
      return fail('CODE_EXPIRED', 'The code has expired, request another');
    if (!sent.fingerprint.equals(vault.fingerprint(code.trim(), contextOf(otp_id)))) {
      await countPhoneChangeTry(tx, user_id);
      return fail('INVALID_CODE', 'Invalid code');
    }
    const { new_phone: phone } = sent;
    await dropPhoneChange(tx, user_id);
    await changeUser(deps, tx, THE_SERVICE, { before, change: { phone } });
    if (before.phone !== null && before.phone !== phone) await tellOld(deps, tx, before);
    await logActivity(tx, { action: 'PHONE_CHANGED', actor: caller, request });
    return phone;
  });
}

async function tellOld(
  { messages }: Pick<ProfileFeatureDeps, 'messages'>,
  tx: Db,
  { user_id, phone }: Awaited<ReturnType<typeof lockProfile>>,
): Promise<void> {
  await messages.send(tx, THE_SERVICE, {
    kind: 'notice',
    channel: 'sms',
    to: phone ?? '',
    purpose: 'phone-moved',
    user_id,
    words: inEachLanguage(PROFILE_TEXTS, ({ phoneMoved }) => ({ text: phoneMoved })),
  });
}
