import { Type } from 'typebox';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { Id, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import type { Mapping } from './store.ts';

const identity = defineEvents(
  'external_identity',
  {
    schema: Type.Object({
      id: Id,
      user_id: Id,
      ext_user_id: Type.String(),
      auth_provider: Type.String(),
      wallet_address: TextOrNull,
      connected_at: Timestamp,
    }),
    since: '2026-11',
    example: {
      id: 5,
      user_id: 3,
      ext_user_id: 'ext_1a2b3c',
      auth_provider: 'google',
      wallet_address: null,
      connected_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    linked: 'A user logs in by an account or a wallet of the external provider',
    unlinked: 'A user can no longer log in by it',
  },
);

export const EXTERNAL_LOGIN_EVENTS = Object.values(identity);

/** In the transaction that changes the mappings; those of one user. */
export async function emitIdentities(
  tx: Db,
  what: keyof typeof identity,
  mappings: readonly Mapping[],
): Promise<void> {
  const [first] = mappings;
  if (first === undefined) return;
  const { user_id } = first;
  const client_id = await clientOfUser(tx, user_id);
  for (const data of mappings) emit(tx, identity[what], { client_id, user_id, id: data.id, data });
}
