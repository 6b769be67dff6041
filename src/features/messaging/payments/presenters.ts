import { Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Nullable, oneOfWords, TextOrNull } from '#kernel/http/declare/schema.ts';
import { type Substatus, shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { objectId } from '#kernel/object-id.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';
import type { ListedPayment } from '#kernel/payment-list/payment-list-store.ts';

export const PAYMENT_STATUSES = [
  ...(['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'RETURNED', 'REFUNDED'] as const),
  ...(['PARTIALLY_REFUNDED', 'DISPUTED'] as const),
] as const;
type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
export const PAYMENT_DIRECTIONS = ['in', 'out', 'internal'] as const;

/** One movement of money, over whichever rail. */
export const ListedPaymentBody = named('Payment', {
  payment_id: objectIdField('pay'),
  rail: explained(Type.String(), 'What it goes over. The list is open'),
  kind: explained(Type.String(), 'What it is on that rail. The list is open'),
  direction: explained(
    oneOfWords(PAYMENT_DIRECTIONS),
    '`in`: to the user; `out`: from the user; `internal`: between two places on the platform',
  ),
  amount: Type.String(),
  currency: Type.String(),
  fee: explained(Type.String(), 'Below zero where the platform gives back its part of one'),
  wallet_id: Nullable(Type.Integer()),
  user_id: Nullable(Type.Integer()),
  counterparty: named('PaymentCounterparty', {
    name: TextOrNull,
    detail: explained(TextOrNull, 'The ends of a card’s number, an account or an address'),
  }),
  ...namesShown,
  our_reference: Type.String(),
  provider_reference: TextOrNull,
  object: explained(
    named('PaymentObject', {
      type: Type.String(),
      id: Type.String(),
      href: explained(TextOrNull, 'Where the API has it'),
    }),
    'The thing behind it',
  ),
  refunded_amount: Type.String(),
  ...stateFields(PAYMENT_STATUSES),
});

/** `12.50`, of units with so many digits after the point. */
export function decimalOf(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return scale === 0
    ? `${sign}${digits}`
    : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** What the features that own the things say of them. */
export interface PaymentWords {
  href(objectType: string, id: string, rail: string): string | null;
  isRetryable(rail: string, code: string): boolean;
}

export const shownPayment = (row: ListedPayment, names: ObjectNames, words: PaymentWords) => ({
  payment_id: objectId('pay', row.payment_id),
  rail: row.rail,
  kind: row.kind,
  direction: row.direction as (typeof PAYMENT_DIRECTIONS)[number],
  amount: decimalOf(row.amount, row.scale),
  currency: row.currency,
  fee: decimalOf(row.fee, row.scale),
  wallet_id: row.wallet_id,
  user_id: row.user_id,
  counterparty: { name: row.counterparty_name, detail: row.counterparty_detail },
  reference: names.reference,
  metadata: names.metadata,
  our_reference: row.our_reference,
  provider_reference: row.provider_reference,
  object: {
    type: row.object_type,
    id: row.object_id,
    href: words.href(row.object_type, row.object_id, row.rail),
  },
  refunded_amount: decimalOf(row.refunded, row.scale),
  ...stateOf(row, words),
});

/** In UTC with milliseconds, as all times are shown. */
const timesOf = (times: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(times as Readonly<Record<string, string>>).map(([name, at]) => [
      name,
      new Date(at).toISOString(),
    ]),
  );

function stateOf(row: ListedPayment, words: PaymentWords) {
  const status_times = timesOf(row.status_times);
  const doubt =
    row.is_stalled || row.in_doubt_since !== null
      ? {
          since: row.in_doubt_since ?? row.updated_at,
          next_attempt_at: row.next_attempt_at,
          isStalled: row.is_stalled === true,
        }
      : undefined;
  const state = {
    ...row,
    status: row.status as PaymentStatus,
    status_times,
    failure: failureOf(row, status_times, words),
  };
  return shownState(state, { doubt, waits: waitsFor(row) });
}

function waitsFor(row: ListedPayment): Substatus | undefined {
  if (row.status !== 'PENDING') return undefined;
  if (row.object_type === 'adjustment') return 'waiting_for_approval';
  return row.is_at_work ? 'waiting_for_provider' : undefined;
}

function failureOf(
  { status, rail, failure_code: code, failure_message, updated_at }: ListedPayment,
  times: Readonly<Record<string, string>>,
  { isRetryable }: PaymentWords,
) {
  if (code === null || !(status in FAILURES)) return null;
  return {
    code,
    message: failure_message ?? FAILURES[status] ?? '',
    retryable: isRetryable(rail, code),
    at: times[`${status.toLowerCase()}_at`] ?? updated_at,
  };
}

const FAILURES: Readonly<Record<string, string>> = {
  FAILED: 'It has failed; nothing was moved, or it is back',
  CANCELLED: 'It was cancelled; nothing was moved',
  RETURNED: 'It was sent back',
};
