import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const BRIDGE_PERSON_DATA: PersonData = {
  tables: [
    personTable('bridge_transfers', {
      key: ['serial'],
      exported: {
        columns: [
          ...(['bridge_transfer_id', 'from_chain', 'to_chain', 'source_address'] as const),
          ...([
            'recipient_address',
            'recipient_tag',
            'status',
            'created_at',
            'completed_at',
          ] as const),
        ],
      },
      kept: ['source_address', 'recipient_address', 'recipient_tag'],
      why: KEPT_BY_LAW,
      impersonal: ['route_id', 'mode', 'from_chain', 'to_chain', 'stalled_in', 'advance_reason'],
    }),
  ],
};
