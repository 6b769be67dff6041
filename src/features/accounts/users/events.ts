import type { Static } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { shownUser, User } from './presenters.ts';
import { type FoundUser, findUser } from './store.ts';

const summary = {
  user_id: 3,
  email: 'user@demo.example',
  username: 'user',
  role: 'user',
  phone: '+12025550100',
  user_status: 'ACTIVE',
  ekyc_status: 'APPROVED',
};

const example: Static<typeof User> = {
  ...summary,
  client_id: 2,
  created: '2026-11-22T03:00:58.447Z',
  updated: '2026-11-22T03:00:58.447Z',
  is_wishlist: false,
  tos_accepted_at: null,
  tos_version: null,
  confirmed_at: null,
  ekyc_verified_at: '2026-11-22T03:00:58.447Z',
  ekyc_provider: 'IDV',
  ekyc_applicant_id: null,
  ekyb_status: 'Not yet Submit',
  ekyb_verified_at: null,
  ekyb_applicant_id: null,
  social_username: null,
  social_verified: false,
  twofa_enabled: false,
  public_key: null,
  profile_picture: null,
  psp_id: null,
  client_alias: 'Demo',
  client_type: 'BUSINESS',
  client_status: 'ACTIVE',
  country_code: 'US',
  client_code: 'CL-202611-0001',
  user: summary,
};

const user = defineEvents(
  'user',
  { schema: User, example, since: '2026-11' },
  {
    created: 'A user account was created',
    updated: 'A profile has changed, was confirmed, or has accepted the terms',
    activated: 'A user may use their account',
    stopped: 'An admin has suspended a user: their log-ins have ended, and new ones are refused',
    let_in: 'A suspended user was reinstated',
    closing:
      'A user closes their account: it is erased 14 days later, and moves no money meanwhile',
    closing_cancelled: 'A user keeps the account that was to be closed',
    erased: 'What was known of a person is gone; the account has a number and no name',
  },
);

export const USER_EVENTS = Object.values(user);

/** In the transaction that changes the user. */
export async function emitUser(
  tx: Db,
  what: keyof typeof user,
  user_id: number,
  previous?: object,
): Promise<void> {
  const found = await findUser(tx, {}, user_id);
  if (!found) throw new Error(`User ${user_id} vanished`);
  emitUserFound(tx, what, found, previous);
}

/** The same for a user that the caller has read already. */
export function emitUserFound(
  tx: Db,
  what: keyof typeof user,
  found: FoundUser,
  previous?: object,
): void {
  const { user_id, client_id } = found;
  const data = shownUser(found);
  emit(tx, user[what], { client_id, user_id, id: user_id, data, ...(previous && { previous }) });
}
