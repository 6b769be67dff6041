import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { CLIENT } from './presenters.ts';
import { type ClientRow, findClient } from './store.ts';

const client = defineEvents(
  'client',
  {
    schema: named('Client', CLIENT),
    since: '2026-11',
    example: {
      client_id: 2,
      client_code: 'CL-202611-0001',
      email: 'admin@demo.example',
      client_alias: 'Demo',
      client_type: 'BUSINESS',
      client_status: 'ACTIVE',
      ekyc_status: 'APPROVED',
      country_code: 'US',
      time_zone: 'America/New_York',
      psp_id: 4,
      phone: '+12025550100',
    },
  },
  {
    created: 'A client organisation has signed up',
    updated: 'How it stands with a client has changed',
    stopped: 'The operator has suspended a client: its keys and log-ins are refused',
    let_in: 'The operator has reinstated a suspended client',
  },
);

export const CLIENT_EVENTS = Object.values(client);

/** In the transaction that changes the client. */
export async function emitClient(
  tx: Db,
  what: keyof typeof client,
  client_id: number,
): Promise<void> {
  emitFound(tx, what, await findClient(tx, client_id));
}

/** The same for a client that the caller has read already. */
export function emitFound(tx: Db, what: keyof typeof client, data: ClientRow): void {
  const { client_id } = data;
  emit(tx, client[what], { client_id, id: client_id, data });
}
