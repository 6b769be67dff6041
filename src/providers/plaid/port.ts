import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '../../kernel/provider-call.ts';

/** What a person needs to link a bank account. */
export interface LinkTokenRequest {
  /** Ours: who links. */
  readonly userId: string;
  readonly phone?: string;
  /** Where the provider tells that there is news of transfers. */
  readonly webhookUrl: string;
}

export interface LinkToken {
  readonly linkToken: string;
  readonly expiresAt: string;
}

/** A bank log-in that a person has linked; whoever has its access token may use it. */
export interface LinkedItem {
  readonly accessToken: string;
  readonly itemId: string;
}

/** As the contract shows one; the fields are named as on the wire. */
export interface PlaidBankAccount {
  readonly account_id: string;
  readonly balances: {
    readonly available: number | null;
    readonly current: number | null;
    readonly iso_currency_code: string | null;
  };
  readonly name: string;
  readonly type: string;
  readonly subtype: string | null;
  readonly mask: string | null;
}

/** Money that is to come from a linked account by ACH. */
export interface Debit {
  readonly accessToken: string;
  readonly accountId: string;
  /** Dollars with two decimals. */
  readonly amount: string;
}

export interface AuthorizationRequest extends Debit {
  /** Ours, at most 50 characters; there is one authorization of it for two days. */
  readonly reference: string;
  readonly legalName: string;
}

export interface TransferRequest extends Debit {
  /** There is one transfer of it, however often it is asked for. */
  readonly authorizationId: string;
  /** Ours, kept with the transfer. */
  readonly reference: string;
}

export const TRANSFER_STATUSES = [
  'pending',
  'posted',
  'settled',
  'funds_available',
  'cancelled',
  'failed',
  'returned',
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

export interface PlaidTransfer {
  readonly id: string;
  readonly status: TransferStatus;
  readonly amount: string;
}

/** One step of a transfer, in the provider's numbering, which only grows. */
export interface TransferEvent {
  readonly eventId: number;
  readonly transferId: string;
  /** A status of a transfer, or something else that concerns no transfer's money. */
  readonly type: string;
  readonly amount: string | null;
  readonly at: string;
}

export interface EventPage {
  readonly events: readonly TransferEvent[];
  readonly hasMore: boolean;
}

/** Events of those kinds, newest first, by the time they happened. */
export interface EventQuery {
  readonly from: Date;
  readonly to: Date;
  readonly types: readonly TransferStatus[];
  /** Of one transfer only. */
  readonly transferId?: string;
  readonly offset: number;
}

export const SIMULATED_EVENTS = [
  'posted',
  'settled',
  'failed',
  'funds_available',
  'returned',
] as const;
export type SimulatedEvent = (typeof SIMULATED_EVENTS)[number];

/** What a webhook says, which is little: the rest has to be asked for. */
export interface News {
  /** The same call again has the same name. */
  readonly name: string;
  readonly about: 'transfers' | 'something else';
}

/** How many events `eventsBetween` answers at the most. */
export const EVENT_PAGE = 25;

/**
 * Links bank accounts and takes money from them by ACH. Refusals carry the provider's own code. A debit is
 * an authorization, known by our reference, and one transfer of it, known by the authorization.
 */
export interface BankLink {
  createLinkToken(request: LinkTokenRequest): Promise<Outcome<LinkToken>>;
  /** A public token is good once: a lost answer cannot be asked for again. */
  exchange(publicToken: string): Promise<Outcome<LinkedItem>>;
  accounts(accessToken: string): Promise<Outcome<PlaidBankAccount[]>>;
  /** Also done where it is gone already. */
  removeItem(accessToken: string): Promise<Outcome<undefined>>;
  /** The id of an approved authorization; refused where the provider declines. */
  authorize(request: AuthorizationRequest): Promise<Outcome<string>>;
  createTransfer(request: TransferRequest): Promise<Outcome<PlaidTransfer>>;
  /** `done(undefined)` where there is none of that authorization. */
  findTransfer(authorizationId: string): Promise<Outcome<PlaidTransfer | undefined>>;
  transfer(transferId: string): Promise<Outcome<PlaidTransfer>>;
  /** In the order of their numbers, after that one. */
  eventsAfter(eventId: number): Promise<Outcome<EventPage>>;
  eventsBetween(query: EventQuery): Promise<Outcome<EventPage>>;
  /** A public token of a made-up bank, where the provider is a sandbox. */
  sandboxPublicToken(): Promise<Outcome<string>>;
  simulateTransfer(
    transferId: string,
    event: SimulatedEvent,
    webhookUrl: string,
  ): Promise<Outcome<undefined>>;
  simulatePayment(paymentId: string, webhookUrl: string): Promise<Outcome<undefined>>;
  /** Whether the bytes were signed by the provider, not long ago. May have to ask for its key. */
  isGenuine(raw: Buffer, headers: IncomingHttpHeaders): Promise<boolean>;
  /** Of bytes that are genuine. Nothing where they are not understood. */
  readWebhook(raw: Buffer, headers: IncomingHttpHeaders): News | undefined;
  /** An address that is not known to be a sandbox counts as production. */
  mode(): 'sandbox' | 'production';
}
