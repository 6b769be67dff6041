import { houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import type { OperationOrTaking } from '#kernel/ledger/debts.ts';
import type { HoldOwner } from '#kernel/ledger/holds.ts';
import type { Leg, Operation } from '#kernel/ledger/ledger.ts';
import { findPaymentHolders } from './holds-store.ts';
import type { CardPayment } from './payment-store.ts';

const HOLD = 'issued-card-hold';

export const CARD_PAYMENT_HOLDS: HoldOwner = {
  kind: HOLD,
  freedBy: 'The shop settles it or gives it up, or its time is over',
  find: findPaymentHolders,
};

/** One change of a payment, and what the ledger holds for it before and after. */
export interface PaymentChange {
  /** Names it in the ledger. */
  readonly key: string;
  readonly before: CardPayment | undefined;
  readonly after: CardPayment;
  readonly holding: bigint;
}

const sumOf = (payment: CardPayment | undefined, column: 'net' | 'holding'): bigint =>
  payment?.[column] ?? 0n;

/** What the issuing account and the account of markups get by a change; together it is what the wallet pays. */
function sharesOf({ before, after }: PaymentChange) {
  const issuing = (one: CardPayment | undefined) => (one ? one.settled - one.refunded : 0n);
  const markup = (one: CardPayment | undefined) => (one ? one.markup - one.markup_returned : 0n);
  return { issuing: issuing(after) - issuing(before), markup: markup(after) - markup(before) };
}

/** How much of what a change costs the wallet is paid out of what was held. */
export function capturedBy({ before, after }: Pick<PaymentChange, 'before' | 'after'>): bigint {
  const cost = after.net - sumOf(before, 'net');
  const held = sumOf(before, 'holding');
  return cost <= 0n ? 0n : smaller(cost, held);
}

export const smaller = (one: bigint, other: bigint): bigint => {
  if (one < other) return one;
  return other;
};

/**
 * The postings of a change. What was held pays first; the rest comes from what is free in the wallet, and from the house
 * where nothing is left: its owner owes that.
 */
export async function cardPostingsOf(tx: Db, change: PaymentChange): Promise<OperationOrTaking[]> {
  const { key, before, after, holding } = change;
  const { account_id: account, user_id, currency } = after;
  const house = await houseAccountsOf(tx, {
    issuing: ['issuing', currency],
    markup: ['card-markup', currency],
    standIn: ['card-stand-in', currency],
  });
  const cost = after.net - sumOf(before, 'net');
  const captured = capturedBy(change);
  const { issuing, markup } = sharesOf(change);
  const owing = cost > captured ? cost - captured : 0n;
  // Of a refund, and of what was held, the wallet's part is in the first posting; the rest is taken, or owed, after it.
  const paid = cost < 0n ? cost : captured;
  const first: Operation = {
    key,
    kind: kindOf(cost, holding - sumOf(before, 'holding')),
    legs: moving([
      { account, amount: -paid, held: holding - sumOf(before, 'holding') },
      { account: house.issuing, amount: owing > 0n ? paid : issuing },
      { account: house.markup, amount: owing > 0n ? 0n : markup },
    ]),
    meta: { hold: holdName(after), client_id: after.client_id },
  };
  const operations: OperationOrTaking[] = first.legs.length > 0 ? [first] : [];
  if (owing > 0n)
    operations.push({
      operation: {
        key: `${key}:rest`,
        kind: 'issued-card-settlement',
        legs: moving([
          { account: house.issuing, amount: issuing - paid },
          { account: house.markup, amount: markup },
        ]),
        meta: { client_id: after.client_id },
      },
      account,
      user_id,
      owedTo: house.standIn,
      units: owing,
    });
  return operations;
}

const holdName = ({ object_id }: Pick<CardPayment, 'object_id'>): string =>
  `card-payment:${object_id}`;

function kindOf(cost: bigint, held: bigint): string {
  if (cost > 0n) return 'issued-card-settlement';
  if (cost < 0n) return 'issued-card-refund';
  return held > 0n ? HOLD : 'issued-card-release';
}

const moving = (legs: readonly Leg[]): Leg[] =>
  legs.filter(({ amount, held = 0n }) => amount !== 0n || held !== 0n);
