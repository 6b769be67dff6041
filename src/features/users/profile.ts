import { Type } from 'typebox';
import { logActivity } from '#features/activity/activity.ts';
import type { Messages } from '#features/messages/messages.ts';
import { admitSending } from '#kernel/access/sending.ts';
import { lockUserWithin, reachOf, reachOfKey, requireUser } from '#kernel/access/tenancy.ts';
import type { Db } from '#kernel/db/db.ts';
import { sqlState } from '#kernel/db/transact.ts';
import { fail } from '#kernel/http/error.ts';
import { plain } from '#kernel/http/family.ts';
import { endpoints, type RequestFacts, type Route, type UserCaller } from '#kernel/http/route.ts';
import { Email, Id, IdInput, Phone, TextOrNull, Timestamp, text } from '#kernel/http/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newCode } from '#kernel/secrets/token.ts';
import { otpContext, type ProofDeps, withProof } from './proof.ts';
import { forgetAddress, type ProfileChange, replaceOtp, updateProfile } from './store.ts';
import { confirmationLink, Name } from './users.ts';

export type ProfileDeps = ProofDeps & Pick<Kernel, 'publicUrl'> & { readonly messages: Messages };

const endpoint = endpoints(plain);

/** Contract: Limits, OTP of the user profile. */
const OTP_TTL_MS = 5 * 60_000;
/** Out of mock mode every code is a message to somebody's phone. */
const OTP_PAUSE_MS = 30_000;

/** Contract: Users, `update_profile` and `request-otp`. */
export const profileRoutes = (deps: ProfileDeps): Route[] => [updateRoute(deps), otpRoute(deps)];

const updateRoute = (deps: ProfileDeps): Route =>
  endpoint('PUT /users/update_profile/{user_id}', {
    auth: 'user',
    summary: "Changes a profile; the caller's own password, and code where asked for, prove it",
    params: Type.Object({ user_id: IdInput }),
    body: Type.Object({
      username: Type.Optional(Name),
      email: Type.Optional(Email),
      phone: Type.Optional(Phone),
      current_password: text(1024),
      otp_code: Type.Optional(text(16)),
    }),
    invalid: (faults) => {
      const details = faults.map(({ field, message }) => ({ field, message }));
      const [first] = faults;
      const lacking = faults.some(({ field }) => field === 'current_password');
      const message = lacking
        ? 'Current password is required'
        : `${first?.field} ${first?.message}`;
      return fail('VALIDATION_ERROR', message, { details });
    },
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({
          user_id: Id,
          username: Type.String(),
          email: Type.String(),
          phone: TextOrNull,
          updated: Timestamp,
        }),
      }),
    },
    fault: 'Failed to update profile',
    async handler({ caller, params, body, request, db }) {
      const { current_password: password, otp_code } = body;
      if (deps.config.PROFILE_OTP === 'required' && otp_code === undefined)
        throw fail('VALIDATION_ERROR', 'OTP code is required');
      const wish = { caller, user_id: params.user_id, change: changeOf(body), request };
      const proof = { caller, password, otp_code, request };
      const data = await withProof(deps, db, proof, (tx) => changeProfile(deps, tx, wish));
      return { message: 'Profile updated successfully', data };
    },
  });

const otpRoute = (deps: ProfileDeps): Route =>
  endpoint('POST /users/request-otp', {
    auth: 'key',
    summary: 'Sends a code of 5 minutes by WhatsApp; in mock mode it is in the answer',
    body: Type.Object({ user_id: IdInput }),
    invalid: 'user_id must be a number',
    reply: { 200: Type.Object({ message: Type.String(), otp: Type.Optional(Type.String()) }) },
    atomic: true,
    fault: 'Failed to request OTP',
    async handler({ caller, body, request: { ip }, db }) {
      const { config, clock, vault, attempts } = deps;
      const user = await requireUser(db, reachOfKey(caller.key), body.user_id);
      const otp = newCode();
      const expires_at = new Date(clock.now().getTime() + OTP_TTL_MS);
      const pause = config.MOCK_MODE ? 0 : OTP_PAUSE_MS;
      const stored = await replaceOtp(db, {
        user_id: user.user_id,
        digest: vault.fingerprint(otp, otpContext(user.user_id)),
        expires_at,
        replaceable_until: new Date(expires_at.getTime() - pause),
      });
      if (!stored)
        throw fail('RATE_LIMITED', 'A code was just sent, try again shortly', {
          retryAfter: OTP_PAUSE_MS / 1000,
        });
      if (config.MOCK_MODE) return { message: 'OTP sent successfully', otp };
      await admitSending(db, attempts, { receivers: [otpContext(user.user_id)], ip });
      await sendOtp(deps.messages, db, user, { otp, expires_at });
      return { message: 'OTP sent successfully' };
    },
  });

interface Change {
  readonly caller: UserCaller;
  readonly user_id: number;
  readonly change: ProfileChange;
  readonly request: RequestFacts;
}

/** Field by field: what becomes a column must never be whatever somebody has sent. */
const changeOf = ({ username, email, phone }: ProfileChange): ProfileChange => ({
  ...(username !== undefined && { username }),
  ...(email !== undefined && { email }),
  ...(phone !== undefined && { phone }),
});

async function changeProfile(
  deps: ProfileDeps,
  tx: Db,
  { caller, user_id, change, request }: Change,
) {
  const before = await lockUserWithin(tx, reachOf(caller), user_id);
  if (!before) throw fail('USER_NOT_FOUND', 'User not found');
  const after = await updateProfile(tx, user_id, change).catch((error: unknown) => {
    if (sqlState(error) === '23505') throw fail('EMAIL_IN_USE', 'Email already in use');
    throw error;
  });
  if (after.email !== before.email) await moveAddress(deps, tx, before.email, after);
  await logActivity(tx, {
    action: 'USER_UPDATE_PROFILE',
    actor: caller,
    client_id: before.client_id,
    subject_user_id: user_id,
    details: { changed: Object.keys(change) },
    request,
  });
  return after;
}

/** The old address hears of it, in case it was not its owner; the new one has to prove itself. */
async function moveAddress(
  deps: ProfileDeps,
  tx: Db,
  old: string,
  user: { readonly user_id: number; readonly username: string; readonly email: string },
): Promise<void> {
  const { user_id, username } = user;
  await forgetAddress(tx, user_id);
  await deps.messages.send(tx, {
    channel: 'email',
    to: old,
    subject: 'Your e-mail address was changed',
    text: [
      `Hello ${username},`,
      '',
      'the e-mail address of your Archipay account was changed to another one.',
      'If that was not you, tell your administrator at once.',
    ].join('\n'),
    purpose: 'email-changed',
    user_id,
  });
  await deps.messages.send(tx, {
    channel: 'email',
    to: user.email,
    subject: 'Confirm your e-mail address',
    text: [
      `Hello ${username},`,
      '',
      'please confirm within 24 hours that this is your e-mail address:',
      `Link: ${await confirmationLink(tx, deps, user_id)}`,
    ].join('\n'),
    purpose: 'email-confirmation',
    user_id,
  });
}

async function sendOtp(
  messages: Messages,
  tx: Db,
  user: { user_id: number; email: string; phone: string | null },
  { otp, expires_at }: { otp: string; expires_at: Date },
): Promise<void> {
  // Somebody without a phone number is told where they can read it.
  const place =
    user.phone === null
      ? { channel: 'email' as const, to: user.email, subject: 'Your Archipay code' }
      : { channel: 'whatsapp' as const, to: user.phone };
  messages.require(place.channel);
  await messages.send(tx, {
    ...place,
    text: `Your Archipay code, valid for 5 minutes:\nCode: ${otp}`,
    purpose: 'profile-otp',
    user_id: user.user_id,
    validUntil: expires_at,
  });
}
