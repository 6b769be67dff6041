import { type Static, Type } from 'typebox';
import type { Db } from '../db/db.ts';
import { emit } from '../events/emit.ts';
import { defineEvents } from '../events/event-type.ts';
import { named } from '../http/declare/named.ts';
import { Id, Nullable, TextOrNull, Timestamp } from '../http/declare/schema.ts';
import { OPERATOR_CLIENT_ID } from './authenticator.ts';
import { clientOfUser } from './tenant-scope.ts';

const Session = named('SessionEventData', {
  session_id: Type.String(),
  user_id: Nullable(Id),
  userx_id: Nullable(Id),
  method: Type.String(),
  ip: TextOrNull,
  user_agent: TextOrNull,
  created_at: Timestamp,
  expires_at: Timestamp,
});

const session = defineEvents(
  'session',
  {
    schema: Session,
    since: '2026-11',
    example: {
      session_id: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
      user_id: 3,
      userx_id: null,
      method: 'password',
      ip: '203.0.113.7',
      user_agent: 'Mozilla/5.0',
      created_at: '2026-11-22T03:00:58.447Z',
      expires_at: '2026-11-23T03:00:58.447Z',
    },
  },
  {
    opened: 'Somebody has logged in',
    revoked: 'A log-in was ended before its time',
  },
);

export const SESSION_EVENTS = Object.values(session);

/** In the transaction in which it becomes so. Those of the rewards app are the operator's to know of. */
export async function emitSession(
  tx: Db,
  what: keyof typeof session,
  data: Static<typeof Session>,
  of?: number,
): Promise<void> {
  const { user_id, session_id: id } = data;
  const client_id =
    user_id === null ? OPERATOR_CLIENT_ID : (of ?? (await clientOfUser(tx, user_id)));
  emit(tx, session[what], { client_id, user_id, id, data });
}
