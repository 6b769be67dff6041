import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const FX_PERSON_DATA: PersonData = {
  tables: [
    personTable('quotes', {
      key: ['serial'],
      exported: {
        columns: [
          'quote_id',
          'kind',
          'status',
          'from_currency',
          'from_units',
          'to_currency',
          'to_units',
          'rate_in',
          'rate_out',
          'created_at',
          'expires_at',
        ],
        money: { from_units: 'from_currency', to_units: 'to_currency' },
      },
      // Of the bridge: the address that the money goes to.
      kept: ['bridge'],
      why: KEPT_BY_LAW,
      impersonal: [
        'fixed_side',
        'from_currency',
        'to_currency',
        'rate_in',
        'rate_out',
        'valid_for',
        'source',
        'route',
        'residue',
        'fees',
        'used_by',
      ],
    }),
    personTable('currency_conversions', {
      key: ['serial'],
      exported: {
        columns: [
          'conversion_id',
          'status',
          'from_currency',
          'from_units',
          'fee',
          'to_currency',
          'to_units',
          'created_at',
        ],
        money: { from_units: 'from_currency', fee: 'from_currency', to_units: 'to_currency' },
      },
      impersonal: ['from_currency', 'to_currency'],
    }),
    personTable('fx_conversions', {
      key: ['conversion_id'],
      exported: {
        columns: [
          'conversion_id',
          'reference',
          'from_asset',
          'from_units',
          'to_asset',
          'to_units',
          'rate_in',
          'rate_out',
          'created_at',
        ],
        money: { from_units: 'from_asset', to_units: 'to_asset' },
      },
      impersonal: ['reference', 'from_asset', 'to_asset', 'rate_in', 'rate_out', 'source'],
    }),
  ],
};
