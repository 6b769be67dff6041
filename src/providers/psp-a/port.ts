import type { Outcome } from '../../kernel/provider-call.ts';

export type CustomerType = 'INDIVIDUAL' | 'BUSINESS';

export interface NewPspACustomer {
  /** Ours, at most 100 characters; it has one customer, for any number of creations. */
  readonly reference: string;
  readonly type: CustomerType;
  /** Of a person or of a company. */
  readonly name: string;
  readonly email: string;
  /** As typed; sent when it is an international number. */
  readonly phone?: string;
}

export interface PspCustomer {
  readonly id: string;
  readonly reference: string;
  readonly type: CustomerType;
  /** The verification status last reported to the provider. */
  readonly kycStatus?: string;
}

/**
 * The payment service provider of Indonesia. Refusals carry the provider's own code, or UNREACHABLE
 * if the call never left. A message may be shown to a person.
 */
export interface PspA {
  /** Creates the customer or answers the existing one; a lost answer is looked up before it is unknown. */
  createCustomer(customer: NewPspACustomer): Promise<Outcome<PspCustomer>>;
  /** `done(undefined)` if the provider has none of that reference. */
  findCustomer(reference: string): Promise<Outcome<PspCustomer | undefined>>;
  /** Reports the result of the customer's verification to the provider; a repetition changes nothing. */
  updateCustomer(id: string, change: { readonly kycStatus: string }): Promise<Outcome<PspCustomer>>;
}
