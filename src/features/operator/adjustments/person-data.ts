import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const ADJUSTMENTS_PERSON_DATA: PersonData = {
  tables: [
    personTable('adjustments', {
      key: ['serial'],
      exported: {
        columns: [
          'adjustment_id',
          'kind',
          'status',
          'reason',
          'asset',
          'units',
          'created_at',
          'decided_at',
        ],
        money: { units: 'asset' },
      },
      kept: ['reason', 'entries', 'decision_note'],
      why: KEPT_BY_LAW,
      impersonal: ['of_reference', 'direction'],
    }),
  ],
};
