import { createHash } from 'node:crypto';
import type { Money } from '#kernel/money/money.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { Outcome } from '../provider.ts';
import { type Card, luhn, openCard, sealCard } from './card.ts';

export type { Card } from './card.ts';

/** What cards are charged in. */
const CARD_CURRENCIES = ['USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND'] as const;
export type CardCurrency = (typeof CARD_CURRENCIES)[number];

/**
 * Names one transaction at the network, for good: sent twice, it happens once. The caller stores
 * `rrn` (the retrieval reference number) and `at` before the first call, `rrn` uniquely.
 */
export interface Trace {
  readonly rrn: string;
  readonly at: Date;
}

export interface Movement {
  readonly transactionIdentifier: string;
  readonly approvalCode: string;
  /** `YYYY-MM-DDThh:mm:ss`, UTC; a reversal has to repeat it. */
  readonly transmittedAt: string;
}

export interface Found extends Movement {
  /** The network's own word, such as COMPLETED. */
  readonly status: string;
  /** How much it moved; a look-up need not say so. */
  readonly money?: Money<CardCurrency>;
}

/** What the network cleared for us: money of one approved transaction. */
export interface Cleared {
  readonly transactionIdentifier: string;
  readonly rrn: string;
  readonly kind: 'pull' | 'push' | 'reversal';
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

export interface Charge {
  readonly trace: Trace;
  readonly card: Card;
  readonly money: Money<CardCurrency>;
}

export interface Push extends Charge {
  readonly recipientName: string;
  /** What the recipient's bank may print, ours: at most 16 characters are sent. */
  readonly reference: string;
}

export interface Reversal extends Charge {
  readonly original: Movement & { readonly trace: Trace };
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
  pull(charge: Charge): Promise<Outcome<Movement>>;
  /** Pays money to the card, which needs no expiry for it. */
  push(push: Push): Promise<Outcome<Movement>>;
  /** Gives a pull back to its card, or a part of it, once. */
  reverse(reversal: Reversal): Promise<Outcome<Movement>>;
  /**
   * What became of a transaction: as its own call would have answered, and `done(undefined)` when the
   * network has never seen it. It may still be on its way then, so ask again before giving it up.
   */
  find(trace: Trace, transactionIdentifier?: string): Promise<Outcome<Found | undefined>>;
  /** A page of what was cleared in a window, by the network's own records. Never a part of a page. */
  statement(window: ClearingWindow, after?: string): Promise<Outcome<Clearing>>;
}

export type CardFault = 'number' | 'expiry' | 'cvv';

/**
 * Reads a card: 16 digits that satisfy Luhn, MMYY that has not passed at `now`, a CVV of 3 digits.
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
  if (expiry !== undefined && (month === undefined || month < now.toISOString().slice(0, 7))) {
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

/**
 * The retrieval reference number by the network's convention: last digit of the year, day of the year,
 * hour (UTC), and six digits that follow from our reference alone. Two references may meet in the same
 * hour, so the caller's unique index decides and `attempt` gives the next one.
 */
export function traceOf(reference: string, at: Date, attempt = 0): Trace {
  const digest = createHash('sha256').update(`${reference}#${attempt}`).digest();
  const audit = (digest.readUIntBE(0, 6) % 1_000_000).toString().padStart(6, '0');
  const year = at.getUTCFullYear();
  const day = Math.floor((at.getTime() - Date.UTC(year, 0, 1)) / DAY_MS) + 1;
  const hour = at.toISOString().slice(11, 13);
  return { rrn: `${year % 10}${day.toString().padStart(3, '0')}${hour}${audit}`, at };
}

const DAY_MS = 86_400_000;

/** MMYY as YYYY-MM, which sorts by time. A card is good until that month has ended. */
function expiryMonth(typed: string): string | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(typed) ?? [];
  return month === undefined ? undefined : `20${year}-${month}`;
}
