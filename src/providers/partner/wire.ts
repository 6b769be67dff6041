import { type Static, Type } from 'typebox';
import { meaningOf } from '../code-table.ts';
import { PARTNER_KYC, PARTNER_STATUSES } from './partner-codes.ts';
import type {
  Capability,
  CapabilityStatus,
  CustomerStatus,
  ExternalAccount,
  NewCustomer,
  PartnerCustomer,
} from './port.ts';

const Text = Type.String({ minLength: 1, maxLength: 1024 });

/** `POST /v0/kyc_links`: for those of whom we know a name and an address only. */
export interface KycLinkRequest {
  readonly type: 'individual' | 'business';
  readonly full_name: string;
  readonly email: string;
  readonly endorsements: readonly string[];
}

/** Its answer, and that of `GET /v0/kyc_links/{id}`. */
export const WireKycLink = Type.Object({
  id: Text,
  type: Type.Optional(Type.Enum(['individual', 'business'])),
  kyc_link: Text,
  tos_link: Text,
  kyc_status: Text,
  tos_status: Text,
  customer_id: Type.Optional(Type.Union([Text, Type.Null()])),
  created_at: Type.Optional(Text),
});
export type WireKycLink = Static<typeof WireKycLink>;

/** `GET /v0/customers/{id}/kyc_link` and `.../tos_acceptance_link`. */
export const WireLink = Type.Object({ url: Text });

/** `GET /v0/webhooks`: ours, each with the key that signs what is sent to it. */
export const WireWebhooks = Type.Object({
  data: Type.Array(Type.Object({ public_key: Text })),
});

/** An event of a webhook: only whose customer it concerns is taken from it. */
export const PartnerWireEvent = Type.Object({
  event_id: Text,
  event_category: Text,
  event_object: Type.Object({
    id: Text,
    customer_id: Type.Optional(Type.Union([Text, Type.Null()])),
  }),
});

const CapabilityState = Type.Enum(['pending', 'active', 'inactive', 'rejected']);
const Endorsement = Type.Object({
  name: Type.String(),
  /** `incomplete`, `approved`, `revoked` */
  status: Type.String(),
});

export const WireCustomer = Type.Object({
  id: Text,
  type: Type.Optional(Type.Enum(['individual', 'business'])),
  status: Text,
  capabilities: Type.Optional(
    Type.Object({
      payin_crypto: Type.Optional(CapabilityState),
      payout_crypto: Type.Optional(CapabilityState),
      payin_fiat: Type.Optional(CapabilityState),
      payout_fiat: Type.Optional(CapabilityState),
    }),
  ),
  requirements_due: Type.Optional(Type.Array(Type.String())),
  endorsements: Type.Optional(Type.Array(Endorsement)),
  signed_agreement_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  created_at: Text,
  updated_at: Text,
});
export type WireCustomer = Static<typeof WireCustomer>;

const WireExternalAccount = Type.Object({
  id: Text,
  currency: Text,
  account_type: Type.Optional(Text),
  active: Type.Optional(Type.Boolean()),
});
export type WireExternalAccount = Static<typeof WireExternalAccount>;
export const WireExternalAccounts = Type.Object({ data: Type.Array(WireExternalAccount) });

export const PartnerWireError = Type.Object({ code: Type.String(), message: Type.String() });

const IDENTITY = {
  not_started: 'not_started',
  pending_verification: 'pending',
  verified: 'approved',
  rejected: 'rejected',
} as const satisfies Record<CustomerStatus, string>;

const RISK = {
  not_started: 'pending',
  pending_verification: 'pending',
  verified: 'low',
  rejected: 'high',
} as const satisfies Record<CustomerStatus, string>;

/** An unknown status never approves a customer. */
export const toStatus = (word: string): CustomerStatus =>
  meaningOf(PARTNER_STATUSES, word) ?? 'pending_verification';

export function toCustomer(
  wire: WireCustomer,
  accounts: readonly WireExternalAccount[],
): PartnerCustomer {
  const status = toStatus(wire.status);
  return {
    id: wire.id,
    status,
    type: wire.type ?? 'individual',
    kyc_status: meaningOf(PARTNER_KYC, wire.status) ?? 'under_review',
    signed_agreement_id: wire.signed_agreement_id ?? null,
    capabilities: toCapabilities(wire),
    external_accounts: accounts.map(toExternalAccount),
    verification: {
      identity_status: IDENTITY[status],
      documents_status: documents(wire, status),
      risk_assessment: RISK[status],
    },
    created_at: iso(wire.created_at),
    updated_at: iso(wire.updated_at),
  };
}

function documents(wire: WireCustomer, status: CustomerStatus) {
  if (wire.requirements_due?.includes('id_verification')) return 'required';
  const identity = IDENTITY[status];
  return identity === 'not_started' ? 'required' : identity;
}

/** Sending and receiving are possible as soon as one way is; the others hang on an endorsement. */
function toCapabilities({ capabilities = {}, endorsements = [] }: WireCustomer): Capability[] {
  const { payin_crypto, payout_crypto, payin_fiat, payout_fiat } = capabilities;
  const endorsed = (name: string): CapabilityStatus => {
    const found = endorsements.find((endorsement) => endorsement.name === name);
    if (found === undefined) return 'inactive';
    if (found.status === 'approved') return 'active';
    return found.status === 'revoked' ? 'rejected' : 'pending';
  };
  const fiat = ['USD', ...FIAT.filter(([name]) => endorsed(name) === 'active').map(([, it]) => it)];
  const all = [...fiat, 'USDC'];
  return [
    { id: 'cap_send_funds', status: best(payout_crypto, payout_fiat), supported_currencies: all },
    { id: 'cap_receive_funds', status: best(payin_crypto, payin_fiat), supported_currencies: all },
    { id: 'cap_card_payments', status: endorsed('cards'), supported_currencies: ['USD'] },
    {
      id: 'cap_ach_transfers',
      status: worst(endorsed('base'), best(payin_fiat, payout_fiat)),
      supported_currencies: ['USD'],
    },
  ];
}

/** Which endorsement brings which currency, beside the dollar. */
const FIAT = [
  ['sepa', 'EUR'],
  ['spei', 'MXN'],
] as const;

const RANK: readonly CapabilityStatus[] = ['active', 'pending', 'inactive', 'rejected'];
const best = (...states: readonly (CapabilityStatus | undefined)[]): CapabilityStatus =>
  RANK.find((state) => states.includes(state)) ?? 'inactive';
const worst = (...states: readonly CapabilityStatus[]): CapabilityStatus =>
  RANK.findLast((state) => states.includes(state)) ?? 'inactive';

const toExternalAccount = (account: WireExternalAccount): ExternalAccount => ({
  id: account.id,
  type: account.account_type ?? 'unknown',
  status: account.active === false ? 'inactive' : 'active',
  currency: account.currency.toUpperCase(),
});

function iso(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

/** What a link asks for: dollars, and cards. */
const ENDORSEMENTS = ['base', 'cards'];

/** The partner takes only these: who the person is, it finds out by the links. */
export const toRequest = ({ type, name, email }: NewCustomer): KycLinkRequest => ({
  type,
  full_name: name.trim(),
  email,
  endorsements: ENDORSEMENTS,
});

/** Of a link without its customer. */
const LINK = 'kyc_link:';

export const linkIdOf = (id: string): string | undefined =>
  id.startsWith(LINK) ? id.slice(LINK.length) : undefined;

/** The customer of a link that was made at that time. */
export function customerOfLink(link: WireKycLink, now: string): PartnerCustomer {
  const { id, type, kyc_status, customer_id, created_at = now } = link;
  const wire: WireCustomer = {
    id: customer_id ?? `${LINK}${id}`,
    ...(type !== undefined && { type }),
    status: kyc_status,
    endorsements: ENDORSEMENTS.map((name) => ({ name, status: 'incomplete' })),
    created_at,
    updated_at: created_at,
  };
  return toCustomer(wire, []);
}
