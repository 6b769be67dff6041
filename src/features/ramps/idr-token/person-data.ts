import {
  KEPT_BY_LAW,
  type PersonData,
  personTable,
  TOLD_ELSEWHERE,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const IDR_TOKEN_PERSON_DATA: PersonData = {
  tables: [
    personTable('idr_bank_accounts', {
      key: ['token_bank_id'],
      exported: {
        columns: [
          'token_bank_id',
          'bank_name',
          'bank_code',
          'bank_account_number',
          'bank_account_name',
          'status',
          'is_primary',
          'created_at',
        ],
      },
      kept: ['bank_name', 'bank_code', 'bank_account_number', 'bank_account_name'],
      why: KEPT_BY_LAW,
    }),
    personTable('idr_mints', {
      key: ['ordinal'],
      exported: {
        columns: [
          'mint_id',
          'reference_id',
          'status',
          'payment_status',
          'payment_method',
          'amount_idr',
          'fee_amount',
          'total_amount_idr',
          'chain_id',
          'wallet_address',
          'mint_tx_hash',
          'created_at',
          'paid_at',
        ],
      },
      kept: [
        'wallet_address',
        'mint_tx_hash',
        'gateway_payment_id',
        'payment_url',
        'paid_receipt',
        'paid_line',
        'payment_note',
      ],
      why: KEPT_BY_LAW,
      impersonal: ['reference_id', 'payment_method', 'chain_id', 'payment_status'],
    }),
    personTable('idr_redeems', {
      key: ['ordinal'],
      exported: {
        columns: [
          'redeem_id',
          'reference_id',
          'status',
          'bank_transfer_status',
          'amount_idr',
          'fee_amount',
          'net_amount_idr',
          'chain_id',
          'wallet_address',
          'burn_tx_hash',
          'created_at',
        ],
      },
      kept: ['wallet_address', 'burn_tx_hash', 'gateway_payout_id'],
      why: KEPT_BY_LAW,
      impersonal: ['reference_id', 'chain_id', 'bank_transfer_status'],
    }),
    personTable('idr_references', { exported: TOLD_ELSEWHERE }),
    personTable('idr_refunds', {
      key: ['refund_id'],
      exported: {
        columns: [
          'refund_id',
          'reference_id',
          'state',
          'transaction_type',
          'reason',
          'amount_idr',
          'refund_fee',
          'net_refund',
          'created_at',
        ],
      },
      kept: ['reason', 'take_back_hash'],
      why: KEPT_BY_LAW,
      impersonal: ['reference_id', 'transaction_type', 'source'],
    }),
    personTable('idr_unmatched_payments', {
      key: ['payment_id'],
      exported: { columns: ['payment_id', 'receipt', 'units', 'reason', 'came_at', 'booked_at'] },
      kept: ['receipt', 'line', 'refund', 'settled_note'],
      why: KEPT_BY_LAW,
      impersonal: ['reason'],
    }),
  ],
};
