import type { Money } from '#kernel/money/money.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { Outcome } from '../../kernel/provider-call.ts';
import { type Card, luhn, openCard, sealCard } from './card.ts';

export type { Card } from './card.ts';

/** The currencies of card charges. */
const CARD_CURRENCIES = ['USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND'] as const;
export type CardCurrency = (typeof CARD_CURRENCIES)[number];

/** The terminal of the first numbers, and of all those given before further terminals existed. */
export const FIRST_TERMINAL = 1;

/**
 * The permanent reference of one transaction at the network: sent twice, it happens once. The caller stores
 * all of it before the first call, `rrn` (the retrieval reference number) and `terminal` uniquely: a terminal uses a number once, and two of them may use the same.
 */
export interface Trace {
  readonly rrn: string;
  /** Our terminal, from `FIRST_TERMINAL` on. */
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
  /** The network's own status, such as COMPLETED. */
  readonly status: string;
  /** The moved amount; a look-up may lack it. */
  readonly money?: Money<CardCurrency>;
  /** The part charged back so far, if it is reported and not the whole. */
  readonly takenBack?: Money<CardCurrency>;
}

/** A clearing record: money of one approved transaction. */
export interface Cleared {
  readonly transactionIdentifier: string;
  readonly rrn: string;
  /** The first, if the network does not name it. */
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
  /** The start of the next page; absent on the last. */
  readonly next?: string;
}

export interface Validation {
  /** The result of checking the three digits on the back. */
  readonly cvv: 'match' | 'mismatch' | 'unchecked';
  readonly merchant: Merchant;
}

/** Our name on card statements. */
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
 * The card's identity, as 64 hexadecimal digits that reveal nothing without the master key: for comparing two
 * cards.
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
  /** Our text that the recipient's bank may print: at most 16 characters are sent. */
  readonly reference: string;
}

export interface Reversal extends CardNetworkCharge {
  readonly original: CardNetworkMovement & { readonly trace: Trace };
}

/**
 * The card network. Refusals carry one of DECLINED, INVALID_CARD, INSUFFICIENT_FUNDS, EXPIRED_CARD,
 * INVALID_AMOUNT, ORIGINAL_NOT_FOUND, ALREADY_REVERSED, DUPLICATE, UNREACHABLE (this call never left)
 * or the network's own code. After `unknown` money may have moved: call `find`, or send the same again.
 */
export interface CardNetwork {
  /** Whether the issuer accepts the card; no money moves. */
  validate(request: { readonly trace: Trace; readonly card: Card }): Promise<Outcome<Validation>>;
  /** Takes money from the card. */
  pull(charge: CardNetworkCharge): Promise<Outcome<CardNetworkMovement>>;
  /** Pays money to the card, without needing its expiry. */
  push(push: Push): Promise<Outcome<CardNetworkMovement>>;
  /** Returns a pull to its card, or a part of it, once. */
  reverse(reversal: Reversal): Promise<Outcome<CardNetworkMovement>>;
  /**
   * The outcome of a transaction: as its own call would have answered, and `done(undefined)` if the
   * network does not know it. It may still be in flight then, so look it up again before giving it up.
   */
  find(
    trace: Trace,
    transactionIdentifier?: string,
  ): Promise<Outcome<FoundTransaction | undefined>>;
  /** A page of the clearing records in a window. Never a part of a page. */
  statement(window: ClearingWindow, after?: string): Promise<Outcome<Clearing>>;
}

export type CardFault = 'number' | 'expiry' | 'cvv';

/**
 * Reads a card: 16 digits that satisfy Luhn, MMYY that has not passed anywhere at `now`, a CVV of 3 digits.
 * Answers which of them is wrong, never its value. The caller decides which may be absent.
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

/** The hour of a number, as a retrieval reference number begins: YDDDHH, in UTC. */
export function traceHour(at: Date): string {
  const year = at.getUTCFullYear();
  const day = Math.floor((at.getTime() - Date.UTC(year, 0, 1)) / DAY_MS) + 1;
  const hour = at.toISOString().slice(11, 13);
  return `${year % 10}${day.toString().padStart(3, '0')}${hour}`;
}

/**
 * The reference of the `number`th transaction of its hour, from 0 on. The retrieval reference number is
 * by the network's convention: the last digit of the year, the day of the year, the hour, and six
 * digits. Numbers beyond a million belong to another terminal.
 */
export function traceOf(number: number, at: Date): Trace {
  const terminal = Math.floor(number / NUMBERS) + FIRST_TERMINAL;
  if (!(number >= 0 && terminal <= TERMINALS)) throw new Error(`No terminal has number ${number}`);
  const audit = (number % NUMBERS).toString().padStart(6, '0');
  return { rrn: `${traceHour(at)}${audit}`, terminal, at };
}

const DAY_MS = 86_400_000;

/** The offset from UTC of the places on earth where a day ends last. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The month in the latest time zone: a card is valid until its last day ends there, and its issuer decides. */
export const earliestMonth = (now: Date): string =>
  new Date(now.getTime() - LAST_ZONE_MS).toISOString().slice(0, 7);

/** MMYY as YYYY-MM, which sorts by time. A card is valid until that month has ended. */
function expiryMonth(typed: string): string | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(typed) ?? [];
  return month === undefined ? undefined : `20${year}-${month}`;
}
