import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Attempts } from '#kernel/access/attempts.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  flat,
  Id,
  MessageField,
  Nothing,
  Success,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { SHOWN_BALANCE } from '#kernel/money/shown-balance.ts';
import { PhoneInput, requirePhone } from '#kernel/phone.ts';
import { transact } from '#kernel/transact.ts';
import { actionRoutes } from './action-routes.ts';
import { logInByPhone } from './log-in.ts';
import { deleteMember, listInvited, lockMember, readMember } from './member-store.ts';
import { openRoutes } from './open-routes.ts';
import { PLATFORMS, platformReader } from './platforms.ts';
import { pointsOf } from './points.ts';
import { takeProven } from './proven-phones.ts';
import { listNotifications, rewardedActions } from './store.ts';

export type RewardsDeps = Pick<
  Kernel,
  'config' | 'clock' | 'vault' | 'quotas' | 'sessions' | 'credentials'
> & {
  readonly messages: Messages;
  readonly attempts: Attempts;
  /** Joins the deletion of a member's account. */
  onLeave(tx: Db, userx_id: number): Promise<void>;
};

const endpoint = endpoints(flatEnvelope);
/** Entries of a page; the contract's own calls name no pages and get as many. */
const INVITED_MAX = 500;
const NEWS_MAX = 200;

const person = { userx_id: Id, usernamex: TextOrNull, emailx: TextOrNull, phonex: Type.String() };
const points = { point_balance: Type.Integer(), ...SHOWN_BALANCE };
const flag = Type.Boolean();
const Profile = named('RewardsProfile', {
  ...person,
  ...points,
  claim_username: flag,
  verify_email: flag,
  sync_contact: flag,
  social_platform_1: flag,
  social_platform_2: flag,
  social_platform_3: flag,
  social_platform_4: flag,
});

/** Contract part 1, Rewards mobile app. Throws when REWARDS_PLATFORMS is wrong. */
export const rewardsRoutes = (deps: RewardsDeps): Route[] => [
  ...accountRoutes(deps),
  ...readRoutes(),
  ...actionRoutes({ ...deps, platformOf: platformReader(deps.config.REWARDS_PLATFORMS) }),
  ...openRoutes(deps),
];

const accountRoutes = (deps: RewardsDeps): Route[] => [
  endpoint('POST /xusers/login', {
    name: 'rewards.logIn',
    auth: 'key',
    errors: ['AUTHENTICATION_FAILED', 'ACCOUNT_NOT_ACTIVE'],
    summary: 'Logs in to the rewards app by phone number; a new number gets an account.',
    body: Type.Object({
      phone: PhoneInput,
      device_token: Type.Optional(
        Type.String({
          pattern: '^[\\w:./-]{1,1000}$',
          description:
            'The device that push notifications go to from now on, unless another member is logged in on it',
        }),
      ),
    }),
    reply: {
      200: Type.Object({
        message: Type.String(),
        token: secret(Type.String()),
        user: Type.Object({ ...person, ...points, role: Type.String() }),
        /** Whether notifications go to the named device. */
        device_registered: Type.Optional(Type.Boolean()),
      }),
    },
    atomic: true,
    invalid: 'Phone number is required',
    fault: 'Login failed',
    async handler({ caller, body, db, request }) {
      const { config } = deps;
      const phone = requirePhone(body.phone, { dialCode: config.REWARDS_DIAL_CODE }, 'phone');
      const proven = config.REWARDS_LOGIN_CODE === 'required';
      if (proven) await takeProven(db, deps, phone, requesterOf(caller, request));
      const entering = { phone, device_token: body.device_token, proven, caller, request };
      const { member, points, ...reply } = await logInByPhone(deps, db, entering);
      return { message: 'Login successful', ...reply, user: { ...member, ...points } };
    },
  }),

  endpoint('DELETE /xaccount/delete', {
    name: 'rewards.deleteAccount',
    auth: 'rewards',
    errors: ['USER_NOT_FOUND'],
    summary: "Deletes the caller's account. The phone number cannot log in again.",
    body: Nothing,
    reply: { 200: MessageField },
    fault: 'Failed to delete account',
    async handler({ caller: { userx_id }, db, request }) {
      await transact(db, async (tx) => {
        await lockMember(tx, userx_id);
        await deps.onLeave(tx, userx_id);
        await deleteMember(tx, userx_id);
        const action = 'REWARDS_ACCOUNT_DELETED';
        await logActivity(tx, { action, actor: null, details: { userx_id }, request });
      });
      // After the commit: no session that is read meanwhile stays cached as valid.
      deps.credentials.forget('userx', userx_id);
      return { message: 'Account deleted' };
    },
  }),
];

const readRoutes = (): Route[] => [
  endpoint('GET /xusers/notifications', {
    name: 'rewards.listNotifications',
    auth: 'rewards',
    history: true,
    summary: "The member's notifications, newest first.",
    query: Type.Object(pageQuery(NEWS_MAX)),
    reply: {
      200: flat({
        notifications: Type.Array(
          Type.Object({
            push_id: Id,
            title: Type.String(),
            message: Type.String(),
            read: Type.Boolean(),
            created_at: Timestamp,
          }),
        ),
      }),
    },
    fault: 'Failed to read notifications',
    async handler({ caller, query: { limit = NEWS_MAX, before }, db }) {
      const found = await listNotifications(db, caller.userx_id, { limit: limit + 1, before });
      const { rows: notifications, next_before } = pageOf(found, limit, ({ push_id }) => push_id);
      return new Paged({ notifications }, next_before);
    },
  }),

  endpoint('GET /xprofiles/getme', {
    name: 'rewards.getProfile',
    auth: 'rewards',
    errors: ['USER_NOT_FOUND'],
    summary: "The caller's profile: points, and the actions that earned them.",
    reply: { 200: Type.Object({ success: Success, profile: Profile }) },
    fault: 'Failed to read profile',
    async handler({ caller: { userx_id }, db }) {
      const [member, shownPoints, actions] = await Promise.all([
        readMember(db, userx_id),
        pointsOf(db, userx_id),
        rewardedActions(db, userx_id),
      ]);
      const [social_platform_1, social_platform_2, social_platform_3, social_platform_4] =
        PLATFORMS.map((id) => actions.has(`social_${id}`)) as [boolean, boolean, boolean, boolean];
      return {
        profile: {
          ...member,
          ...shownPoints,
          claim_username: actions.has('claim_username'),
          verify_email: actions.has('verify_email'),
          sync_contact: actions.has('sync_contact'),
          social_platform_1,
          social_platform_2,
          social_platform_3,
          social_platform_4,
        },
      };
    },
  }),

  endpoint('GET /xreff/invited-friends', {
    name: 'rewards.listInvited',
    auth: 'rewards',
    history: true,
    summary:
      'Members who named the caller as their inviter, newest first; the next page is `before` the last.',
    query: Type.Object(pageQuery(INVITED_MAX, ID_MAX)),
    reply: {
      200: flat({ invited: Type.Array(Type.Object({ ...person, created_at: Timestamp })) }),
    },
    fault: 'Failed to read invited friends',
    async handler({ caller, query, db }) {
      const { limit = INVITED_MAX, before } = query;
      const found = await listInvited(db, caller.userx_id, { limit: limit + 1, before });
      const { rows: invited, next_before } = pageOf(found, limit, ({ userx_id }) => userx_id);
      return new Paged({ invited }, next_before);
    },
  }),
];
