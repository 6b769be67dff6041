import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { Id, Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';

const customer = defineEvents(
  'psp_customer',
  {
    schema: Type.Object({
      id: Id,
      user_id: Nullable(Id),
      customer_type: Type.String(),
      status: Type.String(),
      customer_id: TextOrNull,
      created_at: Timestamp,
    }),
    since: '2026-11',
    example: {
      id: 4,
      user_id: 3,
      customer_type: 'INDIVIDUAL',
      status: 'ACTIVE',
      customer_id: 'cust-1a2b3c',
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    requested: 'A company, or one of its people, is to be a customer of the payment provider',
    activated: 'The payment provider has the customer',
    failed: 'The payment provider refuses the customer; the service tries again',
  },
);

export const PSP_CUSTOMER_EVENTS = Object.values(customer);

export type ToldCustomer = Row<
  'psp_customers',
  'id' | 'client_id' | 'user_id' | 'customer_type' | 'status' | 'customer_id' | 'created_at'
>;

/** In the transaction that changes it. */
export function emitPspCustomer(tx: Db, became: keyof typeof customer, data: ToldCustomer): void {
  const { client_id, user_id, id } = data;
  emit(tx, customer[became], { client_id, user_id, id, data });
}
