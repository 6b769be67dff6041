import { type Static, Type } from 'typebox';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, Id, Nullable, Timestamp } from '#kernel/http/declare/schema.ts';

/** As a listing shows it: never the key. */
const Key = named('ApiKeyEventData', {
  key_id: Id,
  api_key: explained(Type.String(), 'Its first and last characters'),
  provider_name: Type.String(),
  user_id: Nullable(Id),
  scopes: Type.Array(Type.String()),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
});

const apiKey = defineEvents(
  'api_key',
  {
    schema: Key,
    since: '2026-11',
    example: {
      key_id: 12,
      api_key: 'ak_1f0c2a7…9d3e',
      provider_name: 'SDK Client',
      user_id: 3,
      scopes: ['*'],
      created_at: '2026-11-22T03:00:58.447Z',
      expires_at: null,
    },
  },
  {
    created: 'An API key was made',
    rotated: 'An API key has a successor, and ends',
    expiring: 'An API key ends within a week, and has no successor',
    changed: 'From where an API key may be used, or how often, was changed',
    deleted: 'An API key is gone',
  },
);

export const KEY_EVENTS = Object.values(apiKey);

type KeyEventData = Static<typeof Key> & { readonly client_id: number | null };

/** In the transaction that changes the key. A key without a client is the operator's. */
export function emitKey(
  tx: Db,
  what: keyof typeof apiKey,
  { client_id, ...data }: KeyEventData,
): void {
  const { user_id, key_id: id } = data;
  emit(tx, apiKey[what], { client_id: client_id ?? OPERATOR_CLIENT_ID, user_id, id, data });
}
