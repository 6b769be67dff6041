import type { Money } from '#kernel/money/money.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { Outcome } from '../../kernel/provider-call.ts';
import { type Card, luhn, openCard, sealCard } from './card.ts';

export type { Card } from './card.ts';

/** What cards are charged in. */
const CARD_CURRENCIES = ['USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND'] as const;
export type CardCurrency = (typeof CARD_CURRENCIES)[number];

/** Where numbers begin, and all that were given before there were others. */
export const FIRST_TERMINAL = 1;

/**
 * Names one transaction at the network, for good: sent twice, it happens once. The caller stores
 * all of it before the first call, `rrn` (the retrieval reference number) and `terminal` uniquely: a
 * terminal gives a number once, and two of them may give the same.
 */
export interface Trace {
  readonly rrn: string;
  /** Which of our terminals, from `FIRST_TERMINAL` on. */
  readonly terminal: number;
  readonly at: Date;
}

export interface CardNetworkMovement {
  readonly transactionIdentifier: string;
  readonly approvalCode: string;
  /** `YYYY-MM-DDThh:mm:ss`, UTC; a reversal has to repeat it. */
  readonly transmittedAt: string;
}

export interface FoundTransaction extends CardNetworkMovement {
  /** The network's own word, such as COMPLETED. */
  readonly status: string;
  /** How much it moved; a look-up need not say so. */
  readonly money?: Money<CardCurrency>;
  /** How much of it was charged back by now, where that is said and not the whole. */
  readonly takenBack?: Money<CardCurrency>;
}

/** What the network cleared for us: money of one approved transaction. */
export interface Cleared {
  readonly transactionIdentifier: string;
  readonly rrn: string;
  /** The first, where the network does not say which. */
  readonly terminal: number;
  readonly kind: 'pull' | 'push' | 'reversal' | 'chargeback' | 'representment';
  readonly money: Money<CardCurrency>;
  /** It is owed to us; otherwise by us. */
  readonly isCredit: boolean;
  readonly at: Date;
}

/** From `from` (inclusive) to `to` (exclusive). */
export interface ClearingWindow {
  readonly from: Date;
  readonly to: Date;
}

export interface Clearing {
  readonly cleared: readonly Cleared[];
  /** Where the next page begins; without it this was the last. */
  readonly next?: string;
}

export interface Validation {
  /** What was proven of the three digits on the back. */
  readonly cvv: 'match' | 'mismatch' | 'unchecked';
  readonly merchant: Merchant;
}

/** As whom we appear on card statements. */
export interface Merchant {
  readonly name: string;
  readonly terminalId: string;
  readonly idCode: string;
  readonly address: {
    readonly street: string;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
  };
}

/**
 * Which card it is, as 64 hexadecimal digits that tell nothing without the master key: good for
 * telling whether two are the same.
 */
export const fingerprintOf = (card: Card, vault: Pick<Vault, 'fingerprint'>): string =>
  vault.fingerprint(openCard(card).number, 'card number').toString('hex');

export interface CardNetworkCharge {
  readonly trace: Trace;
  readonly card: Card;
  readonly money: Money<CardCurrency>;
}

export interface Push extends CardNetworkCharge {
  readonly recipientName: string;
  /** What the recipient's bank may print, ours: at most 16 characters are sent. */
  readonly reference: string;
}

export interface Reversal extends CardNetworkCharge {
  readonly original: CardNetworkMovement & { readonly trace: Trace };
}

/**
 * The card network. Refusals carry one of DECLINED, INVALID_CARD, INSUFFICIENT_FUNDS, EXPIRED_CARD,
 * INVALID_AMOUNT, ORIGINAL_NOT_FOUND, ALREADY_REVERSED, DUPLICATE, UNREACHABLE (this call never left)
 * or the network's own code. After `unknown` money may have moved: ask `find`, or send the same again.
 */
export interface CardNetwork {
  /** Whether the issuer knows the card as good; no money moves. */
  validate(request: { readonly trace: Trace; readonly card: Card }): Promise<Outcome<Validation>>;
  /** Takes money from the card. */
  pull(charge: CardNetworkCharge): Promise<Outcome<CardNetworkMovement>>;
  /** Pays money to the card, which needs no expiry for it. */
  push(push: Push): Promise<Outcome<CardNetworkMovement>>;
  /** Gives a pull back to its card, or a part of it, once. */
  reverse(reversal: Reversal): Promise<Outcome<CardNetworkMovement>>;
  /**
   * What became of a transaction: as its own call would have answered, and `done(undefined)` when the
   * network has never seen it. It may still be on its way then, so ask again before giving it up.
   */
  find(
    trace: Trace,
    transactionIdentifier?: string,
  ): Promise<Outcome<FoundTransaction | undefined>>;
  /** A page of what was cleared in a window, by the network's own records. Never a part of a page. */
  statement(window: ClearingWindow, after?: string): Promise<Outcome<Clearing>>;
}

export type CardFault = 'number' | 'expiry' | 'cvv';

/**
 * Reads a card: 16 digits that satisfy Luhn, MMYY that has not passed anywhere at `now`, a CVV of 3 digits.
 * Answers which of them is wrong, never what it was. What may be left out is up to the caller.
 */
export function readCard(
  typed: { readonly number: string; readonly expiry?: string; readonly cvv?: string },
  now: Date,
): { readonly card: Card } | { readonly fault: CardFault } {
  const { expiry, cvv } = typed;
  // As printed on cards: in groups.
  const number = typed.number.replace(/[ -]/g, '');
  if (!/^\d{16}$/.test(number) || !luhn(number)) return { fault: 'number' };
  const month = expiry === undefined ? undefined : expiryMonth(expiry);
  if (expiry !== undefined && (month === undefined || month < earliestMonth(now))) {
    return { fault: 'expiry' };
  }
  if (cvv !== undefined && !/^\d{3}$/.test(cvv)) return { fault: 'cvv' };
  return {
    card: sealCard({
      number,
      ...(month === undefined ? {} : { expiry: month }),
      ...(cvv === undefined ? {} : { cvv }),
    }),
  };
}

/** The numbers of one hour at one terminal. */
const NUMBERS = 1_000_000;
/** The terminal's id has three digits for its number. */
const TERMINALS = 999;

/** The hour that numbers are given out in, as a retrieval reference number begins: YDDDHH, in UTC. */
export function traceHour(at: Date): string {
  const year = at.getUTCFullYear();
  const day = Math.floor((at.getTime() - Date.UTC(year, 0, 1)) / DAY_MS) + 1;
  const hour = at.toISOString().slice(11, 13);
  return `${year % 10}${day.toString().padStart(3, '0')}${hour}`;
}

/**
 * The name of the transaction that is the `number`th of its hour, from 0 on. The retrieval reference number is
 * by the network's convention: the last digit of the year, the day of the year, the hour, and six
 * digits. What comes after a million is another terminal's.
 */
export function traceOf(number: number, at: Date): Trace {
  const terminal = Math.floor(number / NUMBERS) + FIRST_TERMINAL;
  if (!(number >= 0 && terminal <= TERMINALS)) throw new Error(`No terminal has number ${number}`);
  const audit = (number % NUMBERS).toString().padStart(6, '0');
  return { rrn: `${traceHour(at)}${audit}`, terminal, at };
}

const DAY_MS = 86_400_000;

/** The places on earth where a day ends last are so much behind UTC. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The month that it still is somewhere: a card is good to the end of its last day there, and its issuer decides. */
export const earliestMonth = (now: Date): string =>
  new Date(now.getTime() - LAST_ZONE_MS).toISOString().slice(0, 7);

/** MMYY as YYYY-MM, which sorts by time. A card is good until that month has ended. */
function expiryMonth(typed: string): string | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(typed) ?? [];
  return month === undefined ? undefined : `20${year}-${month}`;
}
