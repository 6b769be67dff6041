import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const INVOICES_PERSON_DATA: PersonData = {
  tables: [
    personTable('invoices', {
      key: ['serial'],
      exported: {
        columns: [
          'invoice_id',
          'wallet_id',
          'currency',
          'amount',
          'description',
          'status',
          'paid',
          'refunded',
          'created_at',
        ],
        money: { amount: 'currency', paid: 'currency', refunded: 'currency' },
      },
      kept: ['description', 'customer', 'items'],
      why: KEPT_BY_LAW,
      impersonal: ['fee_bearer', 'return_url', 'recovery_url', 'methods'],
    }),
    personTable('payment_links', {
      key: ['serial'],
      exported: {
        columns: [
          'link_id',
          'title',
          'currency',
          'amount',
          'least',
          'most',
          'status',
          'created_at',
        ],
        money: { amount: 'currency', least: 'currency', most: 'currency' },
      },
      kept: ['title'],
      why: KEPT_BY_LAW,
      impersonal: ['key_digest', 'usage', 'methods', 'return_url'],
    }),
    personTable('invoice_payments', {
      key: ['serial'],
      exported: {
        columns: [
          'payment_id',
          'invoice_id',
          'method',
          'currency',
          'amount',
          'fee',
          'net',
          'refunded',
          'disputed',
          'status',
          'created_at',
        ],
        money: {
          amount: 'currency',
          fee: 'currency',
          net: 'currency',
          refunded: 'currency',
          disputed: 'currency',
        },
      },
      kept: ['provider_reference', 'payment_url'],
      why: KEPT_BY_LAW,
      impersonal: ['accounts', 'method', 'fee_terms'],
    }),
    personTable('invoice_refunds', {
      key: ['serial'],
      exported: {
        columns: [
          'refund_id',
          'payment_id',
          'currency',
          'amount',
          'reason',
          'status',
          'created_at',
        ],
        money: { amount: 'currency' },
      },
      kept: ['reason', 'sealed_payee', 'payee_name', 'payee_detail', 'claim_digest'],
      why: KEPT_BY_LAW,
      impersonal: ['way', 'provider_reference'],
    }),
    personTable('invoice_unmatched', {
      key: ['serial'],
      exported: {
        columns: [
          'unmatched_id',
          'invoice_id',
          'currency',
          'amount',
          'owed',
          'reason',
          'status',
          'created_at',
        ],
        money: { amount: 'currency', owed: 'currency' },
      },
      kept: ['receipt', 'settled_note'],
      why: KEPT_BY_LAW,
      impersonal: ['reason'],
    }),
  ],
};
