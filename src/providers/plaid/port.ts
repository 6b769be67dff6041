import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '../../kernel/provider-call.ts';

/** A person's token for linking a bank account. */
export interface LinkTokenRequest {
  /** Ours: the linking user. */
  readonly userId: string;
  readonly phone?: string;
  /** The address of the provider's webhooks about transfers. */
  readonly webhookUrl: string;
}

export interface LinkToken {
  readonly linkToken: string;
  readonly expiresAt: string;
}

/** A bank log-in that a person has linked; its access token opens it for any holder. */
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

/** A debit of a linked account by ACH. */
export interface Debit {
  readonly accessToken: string;
  readonly accountId: string;
  /** Dollars with two decimals. */
  readonly amount: string;
}

export interface AuthorizationRequest extends Debit {
  /** Ours, at most 50 characters; it has one authorization for two days. */
  readonly reference: string;
  readonly legalName: string;
}

export interface TransferRequest extends Debit {
  /** It has one transfer, for any number of requests. */
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
  /** A status of a transfer, or another word that does not affect a transfer's money. */
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

/** A webhook's content, which is little: the service reads the rest itself. */
export interface News {
  /** The same call again has the same name. */
  readonly name: string;
  readonly about: 'transfers' | 'something else';
}

/** The maximum number of events of `eventsBetween`. */
export const EVENT_PAGE = 25;

/**
 * Links bank accounts and takes money from them by ACH. Refusals carry the provider's own code. A debit is
 * an authorization, known by our reference, and one transfer of it, known by the authorization.
 */
export interface BankLink {
  createLinkToken(request: LinkTokenRequest): Promise<Outcome<LinkToken>>;
  /** A public token works once: a lost answer cannot be requested again. */
  exchange(publicToken: string): Promise<Outcome<LinkedItem>>;
  accounts(accessToken: string): Promise<Outcome<PlaidBankAccount[]>>;
  /** Also done if it is gone already. */
  removeItem(accessToken: string): Promise<Outcome<undefined>>;
  /** The id of an approved authorization; refused if the provider declines. */
  authorize(request: AuthorizationRequest): Promise<Outcome<string>>;
  createTransfer(request: TransferRequest): Promise<Outcome<PlaidTransfer>>;
  /** `done(undefined)` if that authorization has none. */
  findTransfer(authorizationId: string): Promise<Outcome<PlaidTransfer | undefined>>;
  transfer(transferId: string): Promise<Outcome<PlaidTransfer>>;
  /** In the order of their numbers, after that one. */
  eventsAfter(eventId: number): Promise<Outcome<EventPage>>;
  eventsBetween(query: EventQuery): Promise<Outcome<EventPage>>;
  /** A public token of a made-up bank, if the provider is a sandbox. */
  sandboxPublicToken(): Promise<Outcome<string>>;
  simulateTransfer(
    transferId: string,
    event: SimulatedEvent,
    webhookUrl: string,
  ): Promise<Outcome<undefined>>;
  simulatePayment(paymentId: string, webhookUrl: string): Promise<Outcome<undefined>>;
  /** Whether the bytes were signed by the provider, not long ago. May have to fetch its key. */
  isGenuine(raw: Buffer, headers: IncomingHttpHeaders): Promise<boolean>;
  /** For genuine bytes. Undefined if they are not understood. */
  readWebhook(raw: Buffer, headers: IncomingHttpHeaders): News | undefined;
  /** Every address except known sandboxes counts as production. */
  mode(): 'sandbox' | 'production';
}
