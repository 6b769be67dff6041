import type { JsonValue } from '../db/schema.generated.ts';
import type { RequestFacts } from '../http/declare/route.ts';
import type { Market } from '../money/cost.ts';
import { worthAtMost } from '../money/cost.ts';
import { type Asset, convert, type Money } from '../money/money.ts';
import type { PolicyKind } from './policy.ts';

/** Where the money goes, as far as the caller knows it. */
export interface PolicyRecipient {
  /** The same for the same recipient: an address, an account, a user. */
  readonly id: string;
  readonly kind: string;
  readonly country?: string;
  /** Hours since it was added or last changed. */
  readonly age_h?: number;
  /** `MATCH`, `CLOSE_MATCH`, `NO_MATCH` of the name. */
  readonly verification?: string;
  readonly is_new?: boolean;
}

/** The object that waits for an approval or the end of a hold, in a status of its own. */
export interface PolicyObject {
  readonly type: string;
  readonly id: string;
  /** One line, for those who approve it. */
  readonly summary: string;
  /** What an approval is for: its hash changes with any of it. JSON. */
  readonly content: JsonValue;
  /** Who asks for it, where that is another user than the one whose money it is: they do not approve it either. */
  readonly maker?: number | undefined;
  /** The user who owns what receives the money. */
  readonly receiver?: number | undefined;
}

/** What one of several receivers gets, by one of the payments. */
export interface PolicyShare {
  readonly id: string;
  readonly amount: Money;
}

/** An operation that somebody wants to do, before it is written. */
export interface PolicyOperation {
  readonly kind: PolicyKind;
  /** What expressions know it as: a kind, or one operation of the contract, such as `card_push`. */
  readonly op: string;
  /** The request's own id: what it takes is given back by it. */
  readonly operation: string;
  /** By which the payment is found. */
  readonly payment_id?: string;
  readonly client_id: number;
  /** Whose money it is. */
  readonly user_id: number;
  readonly amount: Money;
  /** The rates of the moment, read before the transaction; without them estimates from above count. */
  readonly market?: Market | undefined;
  readonly wallet?: { readonly id: number; readonly currency: string };
  readonly recipient?: PolicyRecipient;
  /** Of a payment to several receivers: what each gets, for limits that count by recipient. */
  readonly receivers?: readonly PolicyShare[];
  readonly card_id?: string;
  readonly key?: { readonly key_id: number; readonly scopes: readonly string[] } | null | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Absent where what it makes has no status in which it could wait: approve and hold are a denial then. */
  readonly object?: PolicyObject;
  /** The header `x-step-up`: a challenge that was proven. */
  readonly stepUp?: string | undefined;
}

/** The challenge that a request says to have proven. */
export const stepUpOf = (
  request: Pick<RequestFacts, 'headers'> | undefined,
): string | undefined => {
  const sent = request?.headers['x-step-up'];
  return typeof sent === 'string' ? sent : undefined;
};

const UNITS_OF_CENT = 10_000n;

/** What it is worth in US cents, rounded up. */
export const usdCentsOf = ({
  amount,
  market,
}: Pick<PolicyOperation, 'amount' | 'market'>): bigint =>
  amount.asset === 'USD'
    ? amount.units
    : (worthAtMost(market, [amount]) + UNITS_OF_CENT - 1n) / UNITS_OF_CENT;

/** The same in the currency of a limit, rounded up; undefined where no rate leads there. */
export function worthIn(
  { amount, market }: Pick<PolicyOperation, 'amount' | 'market'>,
  asset: Asset,
): bigint | undefined {
  if (amount.asset === asset) return amount.units;
  if (asset === 'USD') return usdCentsOf({ amount, market });
  const rate = market?.rateOf(amount.asset, asset);
  return rate === undefined ? undefined : convert(amount, rate, asset, 'up').units;
}

/** A part of an operation that a limit counts by itself. */
export interface CountedPart extends PolicyOperation {
  /** How many payments it is. */
  readonly payments: number;
}

/**
 * The parts of an operation that a limit counts one by one: of a limit by recipient each receiver's. Receivers are in the
 * order of their ids, so that operations wait for each other in one direction.
 */
export function countedParts(
  operation: PolicyOperation,
  { per }: { readonly per: string },
): CountedPart[] {
  const { recipient, receivers = [] } = operation;
  if (per !== 'recipient' || recipient === undefined || receivers.length === 0)
    return [{ ...operation, payments: 1 }];
  const { asset } = operation.amount;
  return [...Map.groupBy(receivers, ({ id }) => id)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, shares]) => {
      const units = shares.reduce((sum, { amount }) => sum + amount.units, 0n);
      const part = { amount: { asset, units }, recipient: { ...recipient, id } };
      return { ...operation, ...part, payments: shares.length };
    });
}

/** Whose limits it counts in, as far as the facts of a decision do not have it: for back-tests. */
export const recordedSubjects = ({ recipient, card_id, key }: PolicyOperation) => ({
  recipient: recipient && `recipient:${recipient.id}`,
  card: card_id === undefined ? undefined : `card:${card_id}`,
  key: key ? `key:${key.key_id}` : undefined,
});
