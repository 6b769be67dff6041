import { Type } from 'typebox';

/**
 * What Bridge takes and answers, by its reference alone (apidocs.bridge.xyz/api-reference). What it does not name is left
 * out.
 */
const Text = Type.String({ minLength: 1, maxLength: 1024 });
const Address = Type.String({ pattern: '^\\S+@\\S+$', maxLength: 1024 });
const Kind = Type.Enum(['individual', 'business']);
const Endorsements = Type.Optional(
  Type.Array(Type.Enum(['base', 'cards', 'cop', 'faster_payments', 'pix', 'sepa', 'spei'])),
);

/** `POST /v0/kyc_links` */
export const LinkRequest = Type.Object({
  type: Kind,
  full_name: Type.Optional(Text),
  email: Address,
  endorsements: Endorsements,
  redirect_uri: Type.Optional(Text),
});

/** `POST /v0/customers`: only with a signed agreement, and with what identifies a person. */
export const DirectRequest = Type.Object({
  type: Kind,
  first_name: Type.Optional(Text),
  last_name: Type.Optional(Text),
  business_legal_name: Type.Optional(Text),
  email: Address,
  signed_agreement_id: Text,
  residential_address: Type.Object({ street_line_1: Text, city: Text, country: Text }),
  birth_date: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  identifying_information: Type.Array(Type.Object({ type: Text, issuing_country: Text }), {
    minItems: 1,
  }),
  endorsements: Endorsements,
});

/** The words of `kyc_status`; a customer that is approved is `active`. */
export type KycWord =
  | 'not_started'
  | 'incomplete'
  | 'awaiting_questionnaire'
  | 'awaiting_ubo'
  | 'under_review'
  | 'approved'
  | 'rejected'
  | 'paused'
  | 'offboarded';
