import { type Static, Type } from 'typebox';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvent } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id } from '#kernel/http/declare/schema.ts';

const Granted = named('RewardsPointsEventData', {
  userx_id: Id,
  action: Type.String(),
  points: Type.Integer(),
});

const granted = defineEvent('reward.granted', {
  schema: Granted,
  summary: 'A member of the rewards app has earned points',
  since: '2026-11',
  example: { userx_id: 5, action: 'welcome', points: 50 },
});

const Joined = named('RewardsMemberEventData', { userx_id: Id });
const joined = defineEvent('member.joined', {
  schema: Joined,
  summary: 'A member has joined the rewards app',
  since: '2026-11',
  example: { userx_id: 5 },
});

export const REWARD_EVENTS = [granted, joined];

/** In the transaction that pays it. Members have no client: the operator gets the events. */
export function emitGranted(tx: Db, data: Static<typeof Granted>): void {
  const { userx_id, action } = data;
  emit(tx, granted, { client_id: OPERATOR_CLIENT_ID, id: `${userx_id}:${action}`, data });
}

/** In the transaction that creates the member. Never their number. */
export function emitJoined(tx: Db, { userx_id }: Static<typeof Joined>): void {
  emit(tx, joined, { client_id: OPERATOR_CLIENT_ID, id: userx_id, data: { userx_id } });
}
