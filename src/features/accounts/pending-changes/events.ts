import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { Id, Nullable, Timestamp } from '#kernel/http/declare/schema.ts';
import type { PendingChange } from './store.ts';

/** What somebody sees of it: never the link, nor what the link's own page explains. */
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
    proposed: 'Somebody has asked for something in a user’s name, which waits for their word',
    ordered: 'An operator has ordered something, which takes effect unless the user objects',
    confirmed: 'The user has allowed it, and it is done',
    refused: 'The user has refused it',
    took_effect: 'What was ordered is done: the user has not objected in time',
    failed: 'What was ordered can be done no more',
    voided: 'Who has asked for it was stopped or is no admin any more: it counts no more',
    withdrawn: 'It was called off',
    dropped: 'The user’s address or password has changed since: it counts no more',
  },
);

export const PENDING_CHANGE_EVENTS = Object.values(change);

export type ChangeOutcome = keyof typeof change;

/** In the transaction in which it becomes so. */
export function emitChange(
  tx: Db,
  became: ChangeOutcome,
  data: PendingChange,
  client_id: number,
): void {
  const { user_id, change_id: id } = data;
  emit(tx, change[became], { client_id, user_id, id, data });
}
