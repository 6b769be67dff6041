import { Type } from 'typebox';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id } from '#kernel/http/declare/schema.ts';

const twoFactor = defineEvents(
  'two_factor',
  {
    schema: named('TwoFactorEventData', { user_id: Id, is_enabled: Type.Boolean() }),
    example: { user_id: 3, is_enabled: true },
    since: '2026-11',
  },
  {
    enabled: 'A user has enabled their second factor',
    disabled: 'A user’s second factor was disabled',
  },
);

export const TWO_FACTOR_EVENTS = Object.values(twoFactor);

/** In the transaction that changes it; of the user who owns it. */
export async function emitTwoFactor(tx: Db, user_id: number, is_enabled: boolean): Promise<void> {
  const client_id = await clientOfUser(tx, user_id);
  const type = is_enabled ? twoFactor.enabled : twoFactor.disabled;
  emit(tx, type, { client_id, user_id, id: user_id, data: { user_id, is_enabled } });
}
