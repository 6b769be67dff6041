import { type Static, type TProperties, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, TextOrNull } from '#kernel/http/declare/schema.ts';

export const INSTANCE = {
  instance_id: Id,
  client_id: Id,
  instance_name: Type.String(),
  client_alias: TextOrNull,
  instance_status: Type.String(),
} satisfies TProperties;
const Instance = named('InstanceEventData', INSTANCE);

const instance = defineEvents(
  'instance',
  {
    schema: Instance,
    since: '2026-11',
    example: {
      instance_id: 5,
      client_id: 2,
      instance_name: 'web-shop',
      client_alias: 'Shop',
      instance_status: 'ACTIVE',
    },
  },
  {
    created: 'A client has a new instance',
    updated: 'An instance is shown by another name',
    deleted: 'An instance is gone; the data shows it as it was',
  },
);

export const INSTANCE_EVENTS = Object.values(instance);

/** In the transaction that changes the instance. */
export function emitInstance(
  tx: Db,
  what: keyof typeof instance,
  data: Static<typeof Instance>,
): void {
  const { client_id, instance_id: id } = data;
  emit(tx, instance[what], { client_id, id, data });
}
