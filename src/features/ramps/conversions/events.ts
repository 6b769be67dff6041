import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id } from '#kernel/http/declare/schema.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';

const ConversionData = named('ConversionEventData', {
  job_id: Id,
  reference_id: Type.String(),
  user_id: Id,
  batch_amount_idr: Type.Number(),
});

/** Conversions as payments. */
export const CONVERSION_PAYMENTS: PaymentSource = {
  view: 'payment_of_conversion_jobs',
  rail: 'conversion',
  key: { column: 'object_key', type: 'integer' },
  names: ['disbursement_id', 'deposit_id'],
  href: (id) => `/exchange/conversion/status/${id}`,
};

const conversion = defineEvents(
  'conversion',
  {
    schema: ConversionData,
    since: '2026-11',
    payment: CONVERSION_PAYMENTS,
    example: {
      job_id: 8,
      reference_id: 'ARC-DISB-8-1795316458447',
      user_id: 3,
      batch_amount_idr: 1_500_000,
    },
  },
  {
    started: 'Rupiah are to be converted; they are set aside',
    disbursed: 'Rupiah are on their way to the exchange',
    confirmed: 'Rupiah have arrived at the exchange',
    traded: 'Rupiah were sold',
    order_refused: 'The exchange has refused an order',
    withdrawal_refused: 'The exchange has refused to send what was bought',
    completed: 'What was bought has arrived',
    failed: 'A conversion has come to nothing; the rupiah are free again',
    payout_returned: 'The bank has sent back what was on its way to the exchange',
  },
);

export const CONVERSION_EVENTS = Object.values(conversion);

const BY_ACTION = {
  CONVERSION_STARTED: 'started',
  CONVERSION_DISBURSED: 'disbursed',
  CONVERSION_CONFIRMED: 'confirmed',
  CONVERSION_TRADED: 'traded',
  CONVERSION_ORDER_REFUSED: 'order_refused',
  CONVERSION_WITHDRAWAL_REFUSED: 'withdrawal_refused',
  CONVERSION_COMPLETED: 'completed',
  CONVERSION_FAILED: 'failed',
  CONVERSION_PAYOUT_RETURNED: 'payout_returned',
} as const satisfies Record<string, keyof typeof conversion>;

/** The steps of a conversion, as the activity log names them. */
export type ConversionStep = keyof typeof BY_ACTION;

/** In the transaction that takes the step; what a job has come to is read at its address. */
export function emitConversion(
  tx: Db,
  action: ConversionStep,
  { client_id, ...data }: Static<typeof ConversionData> & { readonly client_id: number },
): void {
  const { user_id, job_id: id } = data;
  emit(tx, conversion[BY_ACTION[action]], { client_id, user_id, id, data });
}
