import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '#kernel/provider-call.ts';

/** The contract's words for a partner customer. */
export const CUSTOMER_STATUSES = [
  'not_started',
  'pending_verification',
  'verified',
  'rejected',
] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];

export const CAPABILITIES = [
  'cap_send_funds',
  'cap_receive_funds',
  'cap_card_payments',
  'cap_ach_transfers',
] as const;
export type CapabilityId = (typeof CAPABILITIES)[number];
export type CapabilityStatus = 'active' | 'pending' | 'inactive' | 'rejected';

export interface Capability {
  readonly id: CapabilityId;
  readonly status: CapabilityStatus;
  readonly supported_currencies: readonly string[];
}

export interface ExternalAccount {
  readonly id: string;
  /** `us`, `iban`, `clabe`, ... */
  readonly type: string;
  readonly status: 'active' | 'inactive';
  readonly currency: string;
}

/** A customer as the contract shows one; the fields are named as on the wire. */
export interface PartnerCustomer {
  readonly id: string;
  readonly status: CustomerStatus;
  readonly type: 'individual' | 'business';
  readonly kyc_status: 'not_started' | 'incomplete' | 'under_review' | 'approved' | 'rejected';
  readonly signed_agreement_id: string | null;
  /** All four, in the contract's order. */
  readonly capabilities: readonly Capability[];
  readonly external_accounts: readonly ExternalAccount[];
  readonly verification: {
    readonly identity_status: 'not_started' | 'pending' | 'approved' | 'rejected';
    readonly documents_status: 'required' | 'pending' | 'approved' | 'rejected';
    readonly risk_assessment: 'pending' | 'low' | 'high';
  };
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

export interface NewCustomer {
  /**
   * Names this onboarding for good: stored before the call, and the same for every further try. The
   * provider remembers it for 24 hours.
   */
  readonly idempotencyKey: string;
  readonly type: 'individual' | 'business';
  readonly name: string;
  readonly email: string;
}

/** `UNAUTHORIZED` and `RATE_LIMITED` are our own doing. */
export type PartnerRefusal =
  | 'INVALID_PARAMS'
  | 'CUSTOMER_NOT_FOUND'
  /** The key is older than the provider's memory, or was used for another request. */
  | 'KEY_REFUSED'
  | 'UNAUTHORIZED'
  | 'RATE_LIMITED';

/** Where a person accepts the partner's terms, and proves who they are. */
export interface OnboardingLinks {
  readonly tos_link: string;
  readonly kyc_link: string;
}

/** News of a customer: how it stands now is asked for. */
export interface CustomerNews {
  /** The partner's name of the event, by which its repetition is known. */
  readonly name: string;
  readonly customerId: string;
}

export interface PartnerProvider {
  /** After an `unknown`, call again with the same key and facts: there will be one customer. */
  createCustomer(customer: NewCustomer): Promise<Outcome<PartnerCustomer>>;
  /** As it stands at the provider. Refused with CUSTOMER_NOT_FOUND. */
  customer(id: string): Promise<Outcome<PartnerCustomer>>;
  /** Without them a customer is never verified. Refused with CUSTOMER_NOT_FOUND. */
  links(id: string): Promise<Outcome<OnboardingLinks>>;
  /** Whether the bytes were signed for one of our webhooks, in the last ten minutes. */
  isGenuine(raw: Buffer, headers: IncomingHttpHeaders): Promise<boolean>;
  /** Nothing where it concerns no customer. */
  readWebhook(raw: Buffer): CustomerNews | undefined;
  /** Which of the provider's worlds the configured address is. */
  mode(): 'sandbox' | 'production';
}
