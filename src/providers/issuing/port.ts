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
export interface CardIssuing {
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
