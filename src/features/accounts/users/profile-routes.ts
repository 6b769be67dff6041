import { Type } from 'typebox';
import { PendingChangeReply } from '#features/accounts/pending-changes/pending-changes.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { clientHomeOf } from '#kernel/access/client-home.ts';
import { type Requester, requesterMark, requesterOf } from '#kernel/access/requester.ts';
import {
  lockUserInScope,
  requireKnownUser,
  requireUser,
  tenantScopeOf,
  tenantScopeOfKey,
} from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import {
  endpoints,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import {
  Email,
  Id,
  IdInput,
  Name,
  TextOrNull,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { PhoneInput, requirePhone } from '#kernel/phone.ts';
import { newCode } from '#kernel/secrets/token.ts';
import { type AddressDeps, addressApplier, changeUser } from './address.ts';
import { replaceOtp } from './otp-store.ts';
import { otpContext, type ProofDeps, withProof } from './proof.ts';
import type { ProfileChange } from './store.ts';
import { USER_TEXTS } from './texts.ts';

export type ProfileDeps = ProofDeps & AddressDeps;

const endpoint = endpoints(errorEnvelope);

/** Contract: Limits, OTP of the user profile. */
const OTP_TTL_MS = 5 * 60_000;
/** Out of mock mode every code is a message to a phone. */
const OTP_PAUSE_MS = 30_000;

/** Contract: Users, `update_profile` and `request-otp`. */
export const profileRoutes = (deps: ProfileDeps): Route[] => [updateRoute(deps), otpRoute(deps)];

const updateRoute = (deps: ProfileDeps): Route =>
  endpoint('PUT /users/update_profile/{user_id}', {
    name: 'users.updateProfile',
    auth: 'user',
    errors: [
      'USER_NOT_FOUND',
      'INVALID_PASSWORD',
      'INVALID_CODE',
      'EMAIL_IN_USE',
      'FRESH_LOGIN_REQUIRED',
      'LIMIT_EXCEEDED',
    ],
    summary: "Changes a profile; needs the caller's own password, and a code where configured",
    params: Type.Object({ user_id: IdInput }),
    body: Type.Object({
      username: Type.Optional(Name),
      email: Type.Optional(Email),
      phone: Type.Optional(PhoneInput),
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
        /** An admin's new address for another user, out of mock mode. */
        pending_change: Type.Optional(PendingChangeReply),
      }),
    },
    fault: 'Failed to update profile',
    async handler({ caller, params, body, request, db }) {
      const { current_password: password, otp_code } = body;
      if (deps.config.PROFILE_OTP === 'required' && otp_code === undefined)
        throw fail('VALIDATION_ERROR', 'OTP code is required');
      const wish = { caller, user_id: params.user_id, change: changeOf(body), request };
      const proof = { caller, password, otp_code, request };
      const done = await withProof(deps, db, proof, (tx) => changeProfile(deps, tx, wish));
      const { after: data, pending } = done;
      if (!pending) return { message: 'Profile updated successfully', data };
      const message = 'Profile updated; the new address waits until the user confirms it by mail';
      return { message, data, pending_change: pending };
    },
  });

const otpRoute = (deps: ProfileDeps): Route =>
  endpoint('POST /users/request-otp', {
    name: 'users.requestCode',
    team: 'own:write',
    auth: 'key',
    errors: ['PROVIDER_NOT_CONFIGURED', 'USER_NOT_FOUND', 'NUMBER_NOT_SERVED'],
    summary:
      'Sends a code of 5 minutes by WhatsApp; in development and mock mode it is in the answer',
    body: Type.Object({ user_id: IdInput }),
    invalid: 'user_id must be a number',
    reply: {
      200: Type.Object({ message: Type.String(), otp: Type.Optional(secret(Type.String())) }),
    },
    atomic: true,
    fault: 'Failed to request OTP',
    async handler({ caller, body, request, db }) {
      const { config, clock, vault } = deps;
      const by = requesterOf(caller, request);
      const user = config.MOCK_MODE
        ? await requireUser(db, tenantScopeOfKey(caller.key), body.user_id)
        : await requireKnownUser(db, caller.key, body.user_id, clock.now());
      const otp = newCode();
      const expires_at = new Date(clock.now().getTime() + OTP_TTL_MS);
      const pause = config.MOCK_MODE ? 0 : OTP_PAUSE_MS;
      const stored = await replaceOtp(db, {
        user_id: user.user_id,
        asker: requesterMark(by),
        digest: vault.fingerprint(otp, otpContext(user.user_id)),
        expires_at,
        replaceable_until: new Date(expires_at.getTime() - pause),
      });
      if (!stored)
        throw fail('RATE_LIMITED', 'A code was already sent, wait before you request another', {
          retryAfter: OTP_PAUSE_MS / 1000,
        });
      if (!config.MOCK_MODE) await sendOtp(deps.messages, db, by, { user, otp, expires_at });
      const isShown = config.MOCK_MODE || config.NODE_ENV === 'development';
      return { message: 'OTP sent successfully', ...(isShown && { otp }) };
    },
  });

interface Change {
  readonly caller: UserCaller;
  readonly user_id: number;
  readonly change: ProfileChange;
  readonly request: RequestFacts;
}

/** Field by field: no other field of a body may become a column. */
const changeOf = ({ username, email, phone }: ProfileChange): ProfileChange => ({
  ...(username !== undefined && { username }),
  ...(email !== undefined && { email }),
  ...(phone !== undefined && { phone }),
});

async function changeProfile(
  deps: ProfileDeps,
  tx: Db,
  { caller, user_id, change: wanted, request }: Change,
) {
  const before = await lockUserInScope(tx, tenantScopeOf(caller), user_id);
  if (!before) throw fail('USER_NOT_FOUND', 'User not found');
  const change = await inOneForm(tx, wanted, before.client_id);
  const { now, waiting } = split(deps, change, before.email, user_id !== caller.user_id);
  const after = await changeUser(deps, tx, requesterOf(caller, request), { before, change: now });
  const pending =
    waiting && (await propose(deps, tx, { user: before, email: waiting, caller, request }));
  await logActivity(tx, {
    action: 'USER_UPDATE_PROFILE',
    actor: caller,
    client_id: before.client_id,
    subject_user_id: user_id,
    details: { changed: Object.keys(now) },
    request,
  });
  return { after, pending };
}

/** A phone number without its country code belongs to the country of the user's client. */
async function inOneForm(
  tx: Db,
  { phone, ...others }: ProfileChange,
  client_id: number,
): Promise<ProfileChange> {
  if (phone === undefined) return others;
  return { ...others, phone: requirePhone(phone, await clientHomeOf(tx, client_id)) };
}

interface NewAddress extends Pick<Change, 'caller' | 'request'> {
  readonly user: NonNullable<Awaited<ReturnType<typeof lockUserInScope>>>;
  readonly email: string;
}

async function propose(deps: ProfileDeps, tx: Db, { user, email, ...by }: NewAddress) {
  const change = { kind: 'email' as const, subject: email };
  const { user_id } = user;
  const facts = { user_id, ...change, ext_user_id: null, details: {} };
  await addressApplier(deps).check(tx, facts);
  return deps.changes.propose(tx, { user, ...change, ...by });
}

/** Except in mock mode an address that an admin gives another user waits for that user's consent. */
function split(
  { config }: ProfileDeps,
  { email, ...others }: ProfileChange,
  old: string,
  foreign: boolean,
): { now: ProfileChange; waiting?: string } {
  if (email === undefined) return { now: others };
  const waits = foreign && !config.MOCK_MODE && email !== old;
  return waits ? { now: others, waiting: email } : { now: { ...others, email } };
}

interface Otp {
  readonly user: {
    readonly user_id: number;
    readonly email: string;
    readonly phone: string | null;
  };
  readonly otp: string;
  readonly expires_at: Date;
}

async function sendOtp(
  messages: Messages,
  tx: Db,
  by: Requester,
  { user, otp, expires_at }: Otp,
): Promise<void> {
  // A user without a phone number gets the code where they can read it.
  const place =
    user.phone === null
      ? { channel: 'email' as const, to: user.email }
      : { channel: 'whatsapp' as const, to: user.phone };
  messages.require(place.channel);
  await messages.send(tx, by, {
    ...place,
    kind: 'code',
    words: inEachLanguage(USER_TEXTS, ({ code }) =>
      place.channel === 'email' ? code(otp) : { text: code(otp).text },
    ),
    purpose: 'profile-otp',
    user_id: user.user_id,
    validUntil: expires_at,
  });
}
