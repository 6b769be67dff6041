import { Type } from 'typebox';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, Nullable, oneOfWords, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { format } from '#kernel/money/money.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import type { BankLinkConnection } from './connection-store.ts';

const since = '2026-11';

/** Top-ups from banks as payments. */
export const BANK_PAYMENTS: PaymentSource = {
  view: 'payment_of_bank_top_ups',
  rail: 'bank',
  key: { column: 'object_key', type: 'uuid' },
  names: ['transfer_id'],
  href: (id) => `/banklink/topup/${id}/status`,
};

const payment = defineEvents(
  'payment',
  {
    schema: named('BankPaymentEventData', {
      rail: oneOfWords(['bank']),
      transaction_id: Type.String(),
      wallet_id: Id,
      user_id: Id,
      amount: Type.String(),
      currency: oneOfWords(['USD']),
      status: oneOfWords(['PENDING', 'SUCCESS_RECEIVED', 'FAILED', 'RETURNED']),
      failure: TextOrNull,
      transfer_id: TextOrNull,
      created_at: Timestamp,
      settled_at: Nullable(Timestamp),
    }),
    since,
    payment: BANK_PAYMENTS,
    example: {
      rail: 'bank',
      transaction_id: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
      wallet_id: 3,
      user_id: 3,
      amount: '30.00',
      currency: 'USD',
      status: 'SUCCESS_RECEIVED',
      failure: null,
      transfer_id: 'b81ba9f8-1d37-4bd3-a3b3-2b2fbf4c2a90',
      created_at: '2026-11-22T03:00:58.447Z',
      settled_at: '2026-11-23T03:00:58.447Z',
    },
  },
  {
    pending: 'A bank top-up was requested and has not come yet',
    succeeded: 'Money has come, and is in the wallet',
    failed: 'A bank top-up was requested and does not come',
    returned: 'The bank has taken a top-up back; the user owes the part that the wallet lacks',
  },
);

const connection = defineEvents(
  'bank_connection',
  {
    schema: named('BankConnectionEventData', {
      connection_id: Type.String(),
      wallet_id: Id,
      user_id: Id,
      institution_name: TextOrNull,
    }),
    since,
    example: {
      connection_id: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
      wallet_id: 3,
      user_id: 3,
      institution_name: 'First Platypus Bank',
    },
  },
  {
    linked: 'A wallet is linked to a bank account',
    unlinked: 'A wallet is no longer linked to its bank account',
  },
);

export const BANK_LINK_EVENTS = [payment, connection].flatMap((types) => Object.values(types));

type Status = 'PENDING' | 'SUCCESS_RECEIVED' | 'FAILED' | 'RETURNED';

const VERBS = {
  PENDING: 'pending',
  SUCCESS_RECEIVED: 'succeeded',
  FAILED: 'failed',
  RETURNED: 'returned',
} as const satisfies Record<Status, string>;

/** In the transaction that changes it. */
export async function emitTopUp(
  tx: Db,
  row: Row<'bank_top_ups'> & { readonly status: Status },
): Promise<void> {
  const { user_id, top_up_id: id, status } = row;
  const data = {
    ...row,
    rail: 'bank' as const,
    transaction_id: id,
    currency: 'USD' as const,
    amount: format({ asset: 'USD', units: row.amount }),
  };
  const client_id = await clientOfUser(tx, user_id);
  emit(tx, payment[VERBS[status]], { client_id, user_id, id, data, operation: id });
}

type ConnectionEventData = Pick<
  BankLinkConnection,
  'connection_id' | 'wallet_id' | 'user_id' | 'institution_name'
>;

/** In the transaction that changes it. Never the token that opens it. */
export async function emitConnection(
  tx: Db,
  verb: keyof typeof connection,
  data: ConnectionEventData,
): Promise<void> {
  const { user_id, connection_id: id } = data;
  emit(tx, connection[verb], { client_id: await clientOfUser(tx, user_id), user_id, id, data });
}
