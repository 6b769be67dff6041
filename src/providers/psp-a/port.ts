import type { Outcome } from '../../kernel/provider-call.ts';

export type CustomerType = 'INDIVIDUAL' | 'BUSINESS';

export interface NewPspACustomer {
  /** Ours, at most 100 characters; there is one customer of it, however often it is created. */
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
  /** What we last told the provider about the customer's verification. */
  readonly kycStatus?: string;
}

/**
 * The payment service provider of Indonesia. Refusals carry the provider's own code, or UNREACHABLE
 * when the call never left. A message may be shown to a person.
 */
export interface PspA {
  /** Creates the customer or answers the one there is; a lost answer is looked up before it is unknown. */
  createCustomer(customer: NewPspACustomer): Promise<Outcome<PspCustomer>>;
  /** `done(undefined)` when the provider knows none of that reference. */
  findCustomer(reference: string): Promise<Outcome<PspCustomer | undefined>>;
  /** Tells the provider how the customer's verification ended; telling it twice changes nothing. */
  updateCustomer(id: string, change: { readonly kycStatus: string }): Promise<Outcome<PspCustomer>>;
}
