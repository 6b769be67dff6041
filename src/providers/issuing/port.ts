import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '../../kernel/provider-call.ts';

/** Currencies of wallets that a processor may have a card product for. */
export const ISSUING_CURRENCIES = ['USD', 'SGD', 'AUD', 'INR', 'IDR', 'VND'] as const;
export type IssuingCurrency = (typeof ISSUING_CURRENCIES)[number];

/** A card as its processor has it. Its number never leaves the processor. */
export interface IssuedCardFacts {
  readonly state: ProcessorCardState;
  readonly last4: string;
  /** `MM/YY`. */
  readonly expiry: string;
}

/** `TERMINATED` is final. */
export type ProcessorCardState = 'UNACTIVATED' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED';

/** Why the state of a card is changed. */
export type CardStateReason = 'FIRST_USE' | 'REQUESTED' | 'LOST' | 'STOLEN' | 'FRAUD' | 'EXPIRED';

export interface NewIssuedCard {
  /** Ours, up to 36 characters: a repeated request makes no second card. */
  readonly token: string;
  readonly currency: IssuingCurrency;
  readonly nameOnCard: string;
  readonly holder: CardHolder;
}

export interface CardHolder {
  /** Ours, up to 36 characters. */
  readonly token: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** A page of the processor for one person, which opens once. */
export interface CardPage {
  readonly url: string;
  readonly expires: Date;
}

/** A processor that issues virtual cards on wallets of ours. */
export interface CardIssuing extends CardMessages, CardDisputes {
  /** Those in which it has a card product of ours. */
  readonly issuingCurrencies: readonly IssuingCurrency[];
  /** Makes the holder too, where it is their first card. */
  createCard(card: NewIssuedCard): Promise<Outcome<IssuedCardFacts>>;
  /** By our token; `done(undefined)` when the processor knows none. */
  findCard(token: string): Promise<Outcome<IssuedCardFacts | undefined>>;
  /** Any number of times; a terminated card stays so. */
  setCardState(
    token: string,
    state: Exclude<ProcessorCardState, 'UNACTIVATED'>,
    reason: CardStateReason,
  ): Promise<Outcome<undefined>>;
  /** Where its holder sees number, expiry and security code. */
  numberPage(token: string): Promise<Outcome<CardPage>>;
  /** Where its holder sets the PIN. */
  pinPage(token: string): Promise<Outcome<CardPage>>;
}

export interface CardMerchant {
  /** By the acquirer’s number. */
  readonly id: string | undefined;
  readonly name: string;
  /** Four digits of ISO 18245. */
  readonly mcc: string | undefined;
  readonly city: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
}

/** A message of the card network about one payment, as the processor passes it on. */
export interface CardMessage {
  /** The processor’s own number of it. */
  readonly token: string;
  /** That of an earlier message of the same payment. */
  readonly follows: string | undefined;
  /** The network’s number of the payment. */
  readonly networkReference: string | undefined;
  /** Tells messages of one kind and number apart; empty where there is only one. */
  readonly sequence: string;
  readonly cardToken: string;
  /** In the currency that the card is billed in. */
  readonly units: bigint;
  readonly currency: IssuingCurrency;
  readonly merchant: CardMerchant;
  /** As the shop has it, where that is another currency: decimal text. */
  readonly foreign: { readonly amount: string; readonly currency: string } | undefined;
  /** Undefined where the processor does not say. */
  readonly at: Date | undefined;
}

export type FundingKind = 'authorization' | 'increment' | 'verification' | 'balance';

/** The processor asks whether a card pays, and waits for the answer. */
export interface FundingRequest extends CardMessage {
  readonly kind: FundingKind;
  readonly userToken: string;
  /** Paid without the card in the shop. */
  readonly isOnline: boolean;
  /** A smaller amount than the one asked for is of use. */
  readonly mayBePartial: boolean;
  /** The security code that was given is not the card’s. */
  readonly isWrongCode: boolean;
  /** Sent back with the answer. */
  readonly funding: {
    readonly token: string;
    readonly method: string;
    readonly amount: number;
  };
}

export const DECLINE_REASONS = [
  ...(['insufficient_funds', 'wallet_frozen', 'card_not_active', 'card_frozen'] as const),
  ...(['card_closed', 'card_expired', 'single_use_spent', 'limit_transaction'] as const),
  ...(['limit_day', 'limit_week', 'limit_month', 'limit_all_time', 'mcc_blocked'] as const),
  ...(['country_blocked', 'merchant_blocked', 'online_blocked', 'policy_denied'] as const),
  ...(['user_stopped', 'wrong_cvv', 'wrong_pin', 'suspected_fraud', 'client_declined'] as const),
  ...(['client_timed_out', 'decision_timed_out', 'stand_in_declined', 'unknown_card'] as const),
  'currency_not_supported',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

export type FundingAnswer =
  | { readonly approve: true; readonly units: bigint; readonly available?: bigint }
  | { readonly approve: false; readonly reason: DeclineReason };

/** What the processor is sent back. */
export interface FundingReply {
  readonly status: 200 | 402;
  readonly body: { readonly jit_funding: Readonly<Record<string, unknown>> };
}

export type CardNewsKind =
  | ('authorization' | 'increment' | 'advice' | 'reversal' | 'expiration' | 'settlement')
  | ('refund_authorization' | 'refund' | 'verification')
  // What the network has given back for a dispute that was won.
  | 'charge_back';

/** What has become of a message. */
export interface CardNews extends CardMessage {
  /** Undefined for what is of no consequence here. */
  readonly kind: CardNewsKind | undefined;
  /** The network has refused it, or we have not answered in time. */
  readonly isDeclined: boolean;
  /** Nothing more of the payment is settled after it. */
  readonly isFinal: boolean;
}

/** The side of a processor that calls us. */
export interface CardMessages {
  /** Whether a call is the processor’s own. */
  isGenuine(raw: Uint8Array, headers: IncomingHttpHeaders): boolean;
  /** Undefined where it is of a kind, an amount or a shape that is not known. */
  readFunding(raw: Uint8Array): FundingRequest | undefined;
  answerFunding(request: FundingRequest, answer: FundingAnswer): FundingReply;
  /** The answer to what cannot be read. */
  refuseFunding(raw: Uint8Array): FundingReply;
  /** Which messages a notification is about, by the processor’s numbers and their states. */
  readNotification(raw: Uint8Array): readonly { readonly token: string; readonly state: string }[];
  /** The message as the processor has it now; `done(undefined)` when it knows none. */
  findMessage(token: string): Promise<Outcome<CardNews | undefined>>;
  /** Those of a time, oldest first, in pages. */
  messagesBetween(
    window: { readonly from: Date; readonly to: Date },
    after: string | undefined,
  ): Promise<Outcome<{ readonly messages: readonly CardNews[]; readonly next?: string }>>;
}

export const DISPUTE_REASONS = [
  ...(['FRAUD', 'NOT_RECEIVED', 'NOT_AS_DESCRIBED', 'DUPLICATE', 'WRONG_AMOUNT'] as const),
  ...(['CANCELLED', 'REFUND_MISSING'] as const),
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** Types of documents that card networks take, and how large one may be. */
export const DISPUTE_DOCUMENT_TYPES = ['application/pdf', 'image/jpeg'] as const;
export const DISPUTE_DOCUMENT_BYTES_MAX = 2_000_000;

export interface NewDispute {
  /** Ours, up to 36 characters: a repeated request makes no second one. */
  readonly token: string;
  /** The settlement that is disputed, by the processor's number. */
  readonly transaction: string;
  readonly units: bigint;
  readonly currency: IssuingCurrency;
  /** All that was settled by it. */
  readonly isWhole: boolean;
  readonly reason: DisputeReason;
  readonly explanation: string;
}

/** Where a dispute is with the card network. `OPEN` is not sent to it yet. */
export type DisputeStage =
  | ('OPEN' | 'INITIATED' | 'REPRESENTED' | 'PREARBITRATION' | 'ARBITRATION')
  | ('WON' | 'LOST' | 'REJECTED');

/** A dispute as the processor has it. */
export interface DisputeFacts {
  readonly token: string;
  readonly transaction: string;
  readonly units: bigint;
  readonly stage: DisputeStage;
  /** It is over there. */
  readonly isClosed: boolean;
  readonly events: readonly DisputeEvent[];
}

/** What has happened to it at the network, oldest first. */
export interface DisputeEvent {
  readonly token: string;
  readonly at: Date;
  /** In the processor's words. */
  readonly type: string;
  /** The stage that it has led to. */
  readonly stage: DisputeStage;
  readonly text: string | undefined;
}

export interface DisputeDocument {
  /** Ours: by it a document that was sent is known. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The side of a processor that takes disputes to the card network. */
export interface CardDisputes {
  /** Any number of times; a dispute that is there is answered as it is. */
  openDispute(dispute: NewDispute): Promise<Outcome<DisputeFacts>>;
  /** `done(undefined)` when it knows none. */
  findDispute(token: string, currency: IssuingCurrency): Promise<Outcome<DisputeFacts | undefined>>;
  /** The names of the documents that it has of a dispute. */
  listDocuments(token: string): Promise<Outcome<readonly string[]>>;
  sendDocument(token: string, document: DisputeDocument): Promise<Outcome<undefined>>;
  /** Takes the shop's money back at the network. These three any number of times. */
  submitDispute(token: string, currency: IssuingCurrency): Promise<Outcome<DisputeFacts>>;
  /** Contradicts what the shop has answered. */
  respondToDispute(token: string, currency: IssuingCurrency): Promise<Outcome<DisputeFacts>>;
  /** Gives it up. */
  withdrawDispute(token: string, currency: IssuingCurrency): Promise<Outcome<DisputeFacts>>;
  /** Which disputes a notification is about, each with the number of what has happened. */
  readDisputeNews(
    raw: Uint8Array,
  ): readonly { readonly token: string; readonly transition: string }[];
}
