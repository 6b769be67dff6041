import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { named } from '#kernel/http/declare/named.ts';
import { oneOfWords } from '#kernel/http/declare/schema.ts';
import {
  NAMELESS,
  type NamesReader,
  namesGiven,
  namesOf,
  type ObjectNames,
} from '#kernel/object-names/object-names.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { ShownWithdrawal, shownBankWithdrawal, timeOfChange } from './shapes.ts';
import type { BankWithdrawal } from './store.ts';

const OBJECT = 'payout';
const AT = '2026-11-28T03:00:58.447Z';

/** Withdrawals as payments. */
export const WITHDRAWAL_PAYMENTS: PaymentSource = {
  view: 'payment_of_withdrawals',
  rail: 'withdrawal',
  key: { column: 'object_key', type: 'text' },
  names: ['bank_reference'],
  href: () => null,
};

interface NamedWithdrawal {
  readonly row: BankWithdrawal;
  readonly names: ObjectNames;
}

const payouts = defineObject<NamedWithdrawal, ReturnType<typeof schemaOf>>({
  schema: schemaOf(),
  since: '2026-11',
  payment: WITHDRAWAL_PAYMENTS,
  example: {
    rail: 'withdrawal',
    withdrawal_id: 'wdr_06f4t3xet5c77bsdh7wedf8g8s',
    wallet_id: 3,
    user_id: 3,
    requested_by: 3,
    recipient: {
      recipient_id: 'rcp_06f4t3xet5c77bsdh7wedf8g8s',
      name: 'Siti Rahma',
      detail: 'BCA ****7890',
    },
    amount: '150000.00',
    currency: 'IDR',
    received: { amount: '150000.00', currency: 'IDR' },
    quote_id: null,
    fee: '2500.00',
    note: null,
    execute_at: null,
    executes_at: AT,
    returned: null,
    provider_reference: null,
    reference: 'salary-11',
    metadata: {},
    status: 'PROCESSING',
    substatus: 'waiting_for_provider',
    status_times: { pending_at: AT, processing_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 2,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ row: { client_id, user_id, our_reference: id } }) => ({ client_id, user_id, id }),
  show: ({ row, names }) => ({
    rail: 'withdrawal' as const,
    ...shownBankWithdrawal(row, timeOfChange(row), { names }),
  }),
}).events(OBJECT, {
  pending: 'A payout is in flight; its money is held',
  processing: 'A payout is on its way to the bank',
  succeeded: 'A payout has arrived',
  failed: 'A payout has failed; its money is free again',
  cancelled: 'A payout was cancelled before it began; its money is free again',
  returned: 'A payout came back from the bank after it had arrived',
});

function schemaOf() {
  const rail = oneOfWords(['withdrawal'] as const);
  return named('WithdrawalEventData', { rail, ...ShownWithdrawal.properties });
}

export const WITHDRAWAL_EVENTS = payouts.types;

type Verb = Parameters<typeof payouts.emit>[1];

/** In the transaction that makes it, with the names of its request. */
export const emitNewWithdrawal = (tx: Db, verb: Verb, row: BankWithdrawal): void =>
  payouts.emit(tx, verb, { row, names: namesGiven(OBJECT) });

/** In the transaction of a later change. */
export async function emitWithdrawal(tx: Db, verb: Verb, row: BankWithdrawal): Promise<void> {
  const names = await withdrawalNames(tx, [row], row.client_id);
  payouts.emit(tx, verb, { row, names: names.get(row.our_reference) ?? NAMELESS });
}

/** What callers call these, by their references. */
export const withdrawalNames = (
  db: Db,
  rows: readonly BankWithdrawal[],
  reader: NamesReader,
): Promise<ReadonlyMap<string, ObjectNames>> =>
  namesOf(
    db,
    OBJECT,
    rows.map(({ our_reference }) => our_reference),
    reader,
  );
