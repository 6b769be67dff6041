import { Type } from 'typebox';
import { requesterOf } from '#kernel/access/requester.ts';
import { fail } from '#kernel/error.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Email, explained, flat, text } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { PhoneInput, requirePhone } from '#kernel/phone.ts';
import { payForPlatform } from './claim-social.ts';
import { CONTACTS_MAX, Contact, replaceContacts } from './contacts.ts';
import { confirmEmail, type EmailDeps, sendEmailCode } from './emails.ts';
import { findByPhone, lockMember, setInviter, setUsername } from './member-store.ts';
import type { Platform } from './platforms.ts';
import { isRewarded, reward } from './points.ts';

type Deps = EmailDeps & Pick<Kernel, 'config'> & { platformOf(text: string): Platform | undefined };

const endpoint = endpoints(flatEnvelope);

const awarded = {
  message: Type.String(),
  points_awarded: Type.Integer(),
  already_rewarded: Type.Boolean(),
};
const Awarded = named('AwardedPoints', awarded);

/** Actions that earn points. */
export const actionRoutes = (deps: Deps): Route[] => [
  ...emailRoutes(deps),
  ...profileRoutes(deps),
  ...friendRoutes(deps),
];

const emailRoutes = (deps: Deps): Route[] => [
  endpoint('POST /xmail/verify-email', {
    name: 'rewards.verifyEmail',
    auth: 'rewards',
    errors: ['CONFLICT', 'EMAIL_IN_USE', 'USER_NOT_FOUND'],
    summary: 'Mails a six-digit code that proves the address, valid for ten minutes.',
    body: Type.Object({ email: Email }),
    reply: { 200: flat({ message: Type.String() }) },
    atomic: true,
    invalid: 'A valid email is required',
    fault: 'Failed to send verification code',
    async handler({ caller, body, db, request }) {
      const person = { userx_id: caller.userx_id, by: requesterOf(caller, request) };
      await sendEmailCode(deps, db, person, body.email);
      return { message: 'Verification code sent to your email' };
    },
  }),

  endpoint('POST /xmail/confirm-email', {
    name: 'rewards.confirmEmail',
    auth: 'rewards',
    errors: ['INVALID_CODE', 'CODE_EXPIRED', 'EMAIL_IN_USE', 'USER_NOT_FOUND'],
    summary: 'Proves the address with the code that was mailed to it.',
    body: Type.Object({ otp_code: explained(text(32), 'The six digits of the e-mail') }),
    reply: { 200: flat(awarded) },
    invalid: 'OTP code is required',
    fault: 'Failed to verify email',
    async handler({ caller, body, db, request }) {
      const person = { userx_id: caller.userx_id, by: requesterOf(caller, request) };
      const given = await confirmEmail(deps, db, person, body.otp_code.trim());
      return { message: 'Email verified successfully', ...given };
    },
  }),
];

const USERNAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{1,49}$/;

const profileRoutes = ({ messages, config, platformOf }: Deps): Route[] => [
  endpoint('POST /xprofiles/claim-username', {
    name: 'rewards.claimUsername',
    auth: 'rewards',
    errors: ['CONFLICT', 'USER_NOT_FOUND'],
    summary: 'Sets a username, which must be unique; it can be changed later.',
    body: Type.Object({
      username: explained(text(100), '2 to 50 letters, digits, dots, dashes or underscores'),
    }),
    reply: { 200: Awarded },
    atomic: true,
    invalid: 'Username is required',
    fault: 'Failed to claim username',
    async handler({ caller, body, db }) {
      const username = body.username.trim();
      if (!USERNAME.test(username))
        throw fail(
          'VALIDATION_ERROR',
          'Username must be 2 to 50 letters, digits, dots, dashes or underscores',
        );
      const member = await lockMember(db, caller.userx_id);
      await setUsername(db, member.userx_id, username);
      const given = await reward(db, messages, member, 'claim_username');
      return { message: 'Username claimed successfully', ...given };
    },
  }),

  endpoint('POST /xcontacts/sync', {
    name: 'rewards.syncContacts',
    auth: 'rewards',
    errors: ['USER_NOT_FOUND'],
    summary: 'Replaces the contacts; an empty list is accepted, but earns nothing.',
    bodyKind: 'list',
    body: Type.Object({
      contacts: Type.Array(Contact, { maxItems: CONTACTS_MAX }),
    }),
    reply: { 200: Awarded },
    atomic: true,
    invalid: 'Contacts array is required',
    fault: 'Failed to sync contacts',
    async handler({ caller, body: { contacts }, db }) {
      const member = await lockMember(db, caller.userx_id);
      const { REWARDS_DIAL_CODE } = config;
      const kept = await replaceContacts(db, member.userx_id, contacts, REWARDS_DIAL_CODE);
      const given =
        kept > 0
          ? await reward(db, messages, member, 'sync_contact')
          : { points_awarded: 0, already_rewarded: await isRewarded(db, member, 'sync_contact') };
      return { message: 'Contacts synced successfully', ...given };
    },
  }),

  endpoint('POST /xsocial/claim', {
    name: 'rewards.claimSocial',
    auth: 'rewards',
    errors: ['USER_NOT_FOUND'],
    summary:
      'Claims the points of a social platform, by its name or the address of a profile on it.',
    body: Type.Object({
      platform: explained(
        text(500),
        "A platform's name, the address of a profile on it, or `platform_1` to `platform_4`",
      ),
    }),
    reply: { 200: Awarded },
    atomic: true,
    invalid: 'Platform is required',
    fault: 'Failed to claim reward',
    async handler({ caller, body, db }) {
      const platform = platformOf(body.platform);
      if (platform === undefined) throw fail('VALIDATION_ERROR', 'Unrecognised platform');
      const given = await payForPlatform(db, messages, caller.userx_id, platform);
      const message = given.already_rewarded ? 'Reward already claimed' : 'Reward claimed';
      return { message, ...given };
    },
  }),
];

const friendRoutes = ({ messages, config }: Deps): Route[] => [
  endpoint('POST /xreff/add-inviter', {
    name: 'rewards.addInviter',
    auth: 'rewards',
    errors: ['CONFLICT', 'USER_NOT_FOUND'],
    summary: 'Names the person who invited the caller, once.',
    body: Type.Object({ inviter_phone: PhoneInput }),
    reply: { 200: Type.Object({ message: Type.String(), points_awarded: Type.Integer() }) },
    atomic: true,
    invalid: 'Inviter phone number is required',
    fault: 'Failed to add inviter',
    async handler({ caller, body, db }) {
      const phone = requirePhone(
        body.inviter_phone,
        { dialCode: config.REWARDS_DIAL_CODE },
        'inviter_phone',
      );
      const member = await lockMember(db, caller.userx_id);
      if (phone === member.phonex) throw fail('VALIDATION_ERROR', 'You cannot invite yourself');
      if (member.inviter_id !== null) throw alreadyInvited();
      const inviter = await findByPhone(db, phone);
      if (inviter?.userx_status !== 'ACTIVE') throw fail('USER_NOT_FOUND', 'Inviter not found');
      if (!(await setInviter(db, member.userx_id, inviter.userx_id))) throw alreadyInvited();
      const { points_awarded } = await reward(db, messages, member, 'add_inviter');
      return { message: 'Inviter added successfully', points_awarded };
    },
  }),
];

/** The contract names a `message` here beside the error. */
function alreadyInvited() {
  const message = 'You already have an inviter';
  return fail('CONFLICT', message, { extra: { message } });
}
