import { Type } from 'typebox';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id } from '#kernel/http/declare/schema.ts';
import type { PartnerCustomer } from '#providers/partner/port.ts';

const customer = defineEvents(
  'partner_customer',
  {
    schema: named('PartnerCustomerEventData', {
      user_id: Id,
      pspb_customer_id: Type.String(),
      status: Type.String(),
      kyc_status: Type.String(),
    }),
    since: '2026-11',
    example: {
      user_id: 3,
      pspb_customer_id: 'cust_1a2b3c',
      status: 'verified',
      kyc_status: 'approved',
    },
  },
  {
    created: 'A user is a customer of the partner now',
    updated: 'The partner reports a changed customer',
  },
);

export const PARTNER_EVENTS = Object.values(customer);

/** In the transaction that stores the change. */
export async function emitCustomer(
  tx: Db,
  what: keyof typeof customer,
  user_id: number,
  { id, status, kyc_status }: PartnerCustomer,
): Promise<void> {
  const data = { user_id, pspb_customer_id: id, status, kyc_status };
  emit(tx, customer[what], { client_id: await clientOfUser(tx, user_id), user_id, id, data });
}
