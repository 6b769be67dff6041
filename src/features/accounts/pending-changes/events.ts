import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { Id, Nullable, Timestamp } from '#kernel/http/declare/schema.ts';
import type { PendingChange } from './store.ts';

/** The visible part: never the link, nor the explanation on the link's own page. */
const change = defineEvents(
  'pending_change',
  {
    schema: Type.Object({
      change_id: Id,
      user_id: Id,
      kind: Type.String(),
      subject: Type.String(),
      created_at: Timestamp,
      expires_at: Timestamp,
      takes_effect_at: Nullable(Timestamp),
    }),
    since: '2026-11',
    example: {
      change_id: 12,
      user_id: 3,
      kind: 'email',
      subject: 'ana@shop.example',
      created_at: '2026-11-22T03:00:58.447Z',
      expires_at: '2026-11-23T03:00:58.447Z',
      takes_effect_at: null,
    },
  },
  {
    proposed: 'A change in a user’s name was requested and waits for their consent',
    ordered: 'An operator has ordered something, which takes effect unless the user objects',
    confirmed: 'The user has allowed it, and it is done',
    refused: 'The user has refused it',
    took_effect: 'An ordered change was applied: the user has not objected in time',
    failed: 'An ordered change has become impossible',
    voided: 'The requester was suspended or is no longer an admin: the change is void',
    withdrawn: 'It was called off',
    dropped: 'The user’s address or password has changed since: the change is void',
  },
);

export const PENDING_CHANGE_EVENTS = Object.values(change);

export type ChangeOutcome = keyof typeof change;

/** In the transaction that changes it. */
export function emitChange(
  tx: Db,
  became: ChangeOutcome,
  data: PendingChange,
  client_id: number,
): void {
  const { user_id, change_id: id } = data;
  emit(tx, change[became], { client_id, user_id, id, data });
}
