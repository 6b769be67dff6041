import { Type } from 'typebox';
import { changePasswordHash } from '#features/accounts/users/users.ts';
import { listOwnActivity, logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  Email,
  explained,
  integerInput,
  MessageField,
  Nullable,
  nameInput,
  oneOfWords,
  stamped,
  TextOrNull,
  Timestamp,
  TimeZone,
  text,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { surroundingOf } from '#kernel/network.ts';
import { PhoneInput } from '#kernel/phone.ts';
import type { ProfileFeatureDeps } from './deps.ts';
import { askForEmail, confirmNewEmail, undoEmail } from './email.ts';
import { askForPhone, confirmPhone } from './phone.ts';
import { withOwnProof } from './proven.ts';
import { Locale, PendingEmail, ShownProfile, shownProfile } from './shapes.ts';
import {
  lockProfile,
  type OwnProfile,
  type ProfileFields,
  readProfile,
  writeProfile,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownProfile });
const Said = stamped({ data: MessageField });
const PASSWORD_MIN = 8;
const Password = text(1024);

/** People change what is known of them, each thing with its old owner's word. */
export const ownProfileRoutes = (deps: ProfileFeatureDeps): Route[] => [
  readRoute,
  editRoute,
  passwordRoute(deps),
  ...emailRoutes(deps),
  ...phoneRoutes(deps),
  activityRoute,
];

const readRoute = endpoint('GET /profile', {
  name: 'profile.get',
  auth: 'user',
  summary: 'Shows what is known of the caller',
  reply: { 200: One },
  fault: 'Failed to read the profile',
  async handler({ caller, db }) {
    return { data: shownProfile(await readProfile(db, caller.user_id)) };
  },
});

const editRoute = endpoint('PATCH /profile', {
  name: 'profile.update',
  auth: 'user',
  errors: ['409 INVALID_STATUS', 'VERSION_CONFLICT'],
  summary: 'Changes names, language, time zone and preferences',
  body: Type.Object({
    first_name: Type.Optional(nameInput(100)),
    last_name: Type.Optional(nameInput(100)),
    locale: Type.Optional(Nullable(Locale)),
    time_zone: Type.Optional(
      Nullable({ ...TimeZone, description: 'In which days are meant, such as `Asia/Jakarta`' }),
    ),
    preferences: Type.Optional(
      explained(
        Type.Object({
          email: Type.Optional(Type.Boolean()),
          sms: Type.Optional(Type.Boolean()),
          push: Type.Optional(Type.Boolean()),
        }),
        'By which ways news may come; what guards the account comes always',
      ),
    ),
    version: Type.Optional(integerInput(1, ID_MAX)),
  }),
  reply: { 200: One },
  atomic: true,
  fault: 'Failed to change the profile',
  async handler({ caller, body, db, request }) {
    const before = await lockProfile(db, caller.user_id);
    requireVersion(before.version, versionMeant(body, request.headers));
    const { version: _, preferences = {}, ...own } = body;
    const changed: ProfileFields = {
      ...fieldsOf(before),
      ...own,
      prefers_email: preferences.email ?? before.prefers_email,
      prefers_sms: preferences.sms ?? before.prefers_sms,
      prefers_push: preferences.push ?? before.prefers_push,
    };
    refuseVerified(before, changed);
    await writeProfile(db, caller.user_id, changed);
    await logActivity(db, {
      action: 'PROFILE_CHANGED',
      actor: caller,
      details: { changed: Object.keys(body) },
      request,
    });
    return { data: shownProfile(await readProfile(db, caller.user_id)) };
  },
});

const fieldsOf = ({
  first_name,
  last_name,
  locale,
  time_zone,
  ...row
}: OwnProfile): ProfileFields => {
  const { prefers_email, prefers_sms, prefers_push } = row;
  return { first_name, last_name, locale, time_zone, prefers_email, prefers_sms, prefers_push };
};

/** The name of a verified identity is what was verified. */
function refuseVerified(before: OwnProfile, after: ProfileFields): void {
  const isSame = before.first_name === after.first_name && before.last_name === after.last_name;
  if (isSame || !before.is_verified) return;
  throw fail('INVALID_STATUS', 'The name is verified and cannot be changed', {
    status: 409,
    details: { status: 'APPROVED', allowed: [] },
  });
}

const passwordRoute = (deps: ProfileFeatureDeps): Route =>
  endpoint('POST /profile/password', {
    name: 'profile.changePassword',
    auth: 'user',
    errors: ['INVALID_PASSWORD'],
    summary: 'Sets a new password; all other sessions and devices end',
    body: Type.Object({ current_password: Password, new_password: text(1024, PASSWORD_MIN) }),
    reply: { 200: Said },
    fault: 'Failed to change the password',
    async handler({ caller, body, db, request }) {
      const { current_password, new_password } = body;
      const hash = await deps.passwords.hash(new_password, request.ip);
      const { user_id, session_id } = caller;
      const proof = { caller, request, current_password };
      const ended = await withOwnProof(deps, db, proof, async (tx) => {
        await changePasswordHash(tx, user_id, hash);
        const others = await deps.sessions.revokeOthers(tx, user_id, session_id);
        await deps.codes.closeChallenges(tx, user_id);
        await deps.guesses.recordNewPassword(tx, user_id, request.ip);
        await logActivity(tx, { action: 'PASSWORD_CHANGED', actor: caller, request });
        await deps.notices.sendDue(tx, user_id);
        return others;
      });
      return { data: { message: `Password changed; other sessions ended: ${ended}` } };
    },
  });

const emailRoutes = (deps: ProfileFeatureDeps): Route[] => [
  endpoint('POST /profile/email', {
    name: 'profile.changeEmail',
    auth: 'user',
    errors: ['INVALID_PASSWORD', 'INVALID_CODE', 'EMAIL_IN_USE'],
    summary: 'Begins a change of the e-mail address, by a link to the new one',
    body: Type.Object({
      new_email: Email,
      current_password: Password,
      two_fa_token: Type.Optional(text(32)),
    }),
    reply: { 202: stamped({ data: Type.Object({ pending_change: PendingEmail }) }) },
    fault: 'Failed to change the address',
    async handler({ caller, body, db, request }) {
      const { new_email, current_password, two_fa_token } = body;
      const wish = { caller, request, new_email, current_password, two_fa_token };
      return { data: { pending_change: await askForEmail(deps, db, wish) } };
    },
  }),

  endpoint('POST /profile/email/confirm', {
    name: 'profile.confirmEmail',
    auth: 'public',
    errors: ['INVALID_TOKEN', 'LINK_EXPIRED', 'EMAIL_IN_USE'],
    summary: 'Takes the new address, by the link that was mailed to it',
    body: Type.Object({ token: text(200) }),
    reply: { 200: Said },
    fault: 'Failed to confirm the address',
    async handler({ body, request }) {
      await confirmNewEmail(deps, body.token, request);
      return { data: { message: 'The new address counts from now on' } };
    },
  }),

  endpoint('POST /profile/email/undo', {
    name: 'profile.undoEmail',
    auth: 'public',
    errors: ['INVALID_TOKEN', 'LINK_EXPIRED', 'EMAIL_IN_USE'],
    summary: 'Puts the old address back, by the link that was mailed to it; every log-in ends',
    body: Type.Object({ token: text(200) }),
    reply: { 200: Said },
    fault: 'Failed to undo the change',
    async handler({ body, request }) {
      await undoEmail(deps, body.token, request);
      return { data: { message: 'The address of before is back, and every log-in has ended' } };
    },
  }),
];

const phoneRoutes = (deps: ProfileFeatureDeps): Route[] => [
  endpoint('POST /profile/phone', {
    name: 'profile.changePhone',
    auth: 'user',
    errors: ['INVALID_PASSWORD', 'NUMBER_NOT_SERVED', 'PROVIDER_NOT_CONFIGURED'],
    summary: 'Begins a change of the phone number, by a code to the new one',
    body: Type.Object({
      new_phone: PhoneInput,
      channel: Type.Optional(explained(oneOfWords(['wa', 'sms']), 'Default: WhatsApp')),
      current_password: Password,
    }),
    reply: { 200: stamped({ data: Type.Object({ otp_id: Uuid, expires_at: Timestamp }) }) },
    fault: 'Failed to change the phone number',
    async handler({ caller, body, db, request }) {
      const { new_phone, channel = 'wa', current_password } = body;
      const wish = { caller, request, new_phone, channel, current_password };
      return { data: await askForPhone(deps, db, wish) };
    },
  }),

  endpoint('POST /profile/phone/confirm', {
    name: 'profile.confirmPhone',
    auth: 'user',
    errors: ['INVALID_CODE', 'CODE_EXPIRED'],
    summary: 'Takes the new phone number, by the code that was sent to it',
    body: Type.Object({ otp_id: Uuid, otp_code: text(32) }),
    reply: { 200: stamped({ data: Type.Object({ phone: Type.String() }) }) },
    fault: 'Failed to confirm the phone number',
    async handler({ caller, body, db, request }) {
      const sent = { otp_id: body.otp_id.toLowerCase(), code: body.otp_code };
      return { data: { phone: await confirmPhone(deps, db, { caller, request, ...sent }) } };
    },
  }),
];

const activityRoute = endpoint('GET /profile/activity', {
  name: 'profile.listActivity',
  auth: 'user',
  history: true,
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists what the caller has done, newest first',
  query: Type.Object(cursorQuery),
  reply: {
    200: stamped({
      data: cursorPage(
        Type.Object({
          at: Timestamp,
          action: Type.String(),
          network: explained(TextOrNull, 'The /24 or /56 that it came from'),
          user_agent: TextOrNull,
        }),
      ),
    }),
  },
  fault: 'Failed to list the activity',
  async handler({ caller, query, db }) {
    const { wanted, page } = cursorReader(query);
    const found = await listOwnActivity(db, caller.user_id, wanted);
    const show = ({ at, action, ip, user_agent }: (typeof found)[number]) => ({
      at,
      action,
      network: ip === null ? null : surroundingOf(ip),
      user_agent,
    });
    return { data: page(found, ({ id }) => Number(id), show) };
  },
});
