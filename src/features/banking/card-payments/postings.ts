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

type BeforeAndAfter = Pick<PaymentChange, 'before' | 'after'>;

/** What a dispute has brought that is not decided. */
export const openCreditOf = ({ credit, won, surplus }: CardPayment): bigint =>
  credit - (won - surplus);

/** What the accounts of the house have of a payment; together it is what the wallet has paid. */
const SHARES = {
  issuing: ({ settled, refunded, won }: CardPayment) => settled - refunded - won,
  markup: ({ markup, markup_returned }: CardPayment) => markup - markup_returned,
  disputes: (payment: CardPayment) => -openCreditOf(payment),
  surplus: ({ surplus }: CardPayment) => surplus,
  wallet: ({ net, credit }: CardPayment) => credit - net,
};

/** What each account gets by a change: together nothing. */
export function sharesOf({ before, after }: BeforeAndAfter): Record<keyof typeof SHARES, bigint> {
  const share = (of: keyof typeof SHARES) => SHARES[of](after) - (before ? SHARES[of](before) : 0n);
  return {
    issuing: share('issuing'),
    markup: share('markup'),
    disputes: share('disputes'),
    surplus: share('surplus'),
    wallet: share('wallet'),
  };
}

/** What a change costs the wallet; below zero for what it gets. */
export const walletCostOf = (change: BeforeAndAfter): bigint => -sharesOf(change).wallet;

/** How much of what a change costs the wallet is paid out of what was held. */
export function capturedBy(change: BeforeAndAfter): bigint {
  const cost = walletCostOf(change);
  const held = change.before?.holding ?? 0n;
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
    disputes: ['card-disputes', currency],
    surplus: ['card-surplus', currency],
    standIn: ['card-stand-in', currency],
  });
  const captured = capturedBy(change);
  const { issuing, markup, disputes, surplus, wallet } = sharesOf(change);
  const cost = -wallet;
  const held = holding - (before?.holding ?? 0n);
  const owing = cost > captured ? cost - captured : 0n;
  // Of a refund, and of what was held, the wallet's part is in the first posting; the rest is taken, or owed, after it.
  const paid = cost < 0n ? cost : captured;
  const issued = owing > 0n ? paid - disputes - surplus : issuing;
  const first: Operation = {
    key,
    kind: kindOf(issuing, held),
    legs: moving([
      { account, amount: -paid, held },
      { account: house.issuing, amount: issued },
      { account: house.markup, amount: owing > 0n ? 0n : markup },
      // What the shop gives back itself of what was credited, or of what the network has paid.
      { account: house.disputes, amount: disputes },
      { account: house.surplus, amount: surplus },
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
          { account: house.issuing, amount: issuing - issued },
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

function kindOf(issuing: bigint, held: bigint): string {
  if (issuing > 0n) return 'issued-card-settlement';
  if (issuing < 0n) return 'issued-card-refund';
  return held > 0n ? HOLD : 'issued-card-release';
}

const moving = (legs: readonly Leg[]): Leg[] =>
  legs.filter(({ amount, held = 0n }) => amount !== 0n || held !== 0n);
