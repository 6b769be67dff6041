import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { Id } from '#kernel/http/declare/schema.ts';

/** A top-up as its endpoints answer it (contract part 3: POST /card-checkout/card). */
export const CheckedOut = named('CardTopUp', {
  message: Type.String(),
  data: Type.Object({
    reference_id: Type.String(),
    approval_code: Type.String(),
    transaction_identifier: Type.String(),
    card_last4: Type.String(),
    amount: Type.Number(),
    currency: Type.String(),
    status: Type.String(),
    wallet_id: Id,
    platform_fee: Type.Number(),
    net_amount: Type.Number(),
    steps: Type.Array(Type.Object({ step: Type.Integer(), description: Type.String() })),
  }),
});

/** What the issuer says of the parts of an address. */
export const AddressVerification = named('AddressVerification', {
  street: Type.String(),
  postal_code: Type.String(),
  city: Type.String(),
  state: Type.String(),
  country: Type.String(),
});
