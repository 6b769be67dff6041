import type { CardControls, IssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { mayAct } from '#kernel/access/may-act.ts';
import type { Db } from '#kernel/db/db.ts';
import { money } from '#kernel/money/money.ts';
import type { CardMerchant, DeclineReason, FundingRequest } from '#providers/issuing/port.ts';
import { type CardPayment, hasCardPaid } from './payment-store.ts';
import { type IntervalLimit, spentByLimit } from './rules-store.ts';

/** What is asked about a card that is locked. */
export interface RuledPayment {
  readonly card: IssuedCard;
  readonly request: FundingRequest;
  readonly payment: CardPayment | undefined;
  readonly now: string;
}

const BY_STATUS: Readonly<Record<IssuedCard['status'], DeclineReason | undefined>> = {
  PENDING: 'card_not_active',
  FAILED: 'card_not_active',
  INACTIVE: 'card_not_active',
  ACTIVE: undefined,
  FROZEN: 'card_frozen',
  CLOSED: 'card_closed',
  EXPIRED: 'card_expired',
};

/** Why a card does not pay, as far as its own state and the controls of both sides say so. */
export async function cardRefusalOf(
  tx: Db,
  ruled: RuledPayment,
): Promise<DeclineReason | undefined> {
  const { card, request, payment, now } = ruled;
  const byState = stateRefusal(ruled);
  if (byState !== undefined) return byState;
  if (!(await mayAct(tx, card.user_id))) return 'user_stopped';
  if (request.kind === 'balance') return undefined;
  if (card.ends_at !== null && card.ends_at <= now) return 'card_expired';
  if (card.usage === 'single' && (await hasCardPaid(tx, card.card_id, payment?.payment_id)))
    return 'single_use_spent';
  const controls = [card.owner_controls, card.client_controls];
  for (const one of controls) {
    const refusal = placeRefusal(one, request);
    if (refusal !== undefined) return refusal;
  }
  return limitRefusal(tx, ruled, controls);
}

function stateRefusal({ card, request }: RuledPayment): DeclineReason | undefined {
  const byStatus = BY_STATUS[card.status];
  if (byStatus !== undefined) return byStatus;
  if (request.currency !== card.currency) return 'currency_not_supported';
  return request.isWrongCode ? 'wrong_cvv' : undefined;
}

/** Where it pays, and how. What the network does not say is nowhere that is allowed. */
function placeRefusal(
  { allowed, blocked, online }: CardControls,
  { merchant, isOnline }: Pick<FundingRequest, 'merchant' | 'isOnline'>,
): DeclineReason | undefined {
  const { mcc, country, id } = merchant;
  const isOut = (value: string | undefined, kind: 'mcc' | 'country' | 'merchant_id') =>
    (allowed?.[kind] !== undefined && !allowed[kind].includes(value ?? '')) ||
    (blocked?.[kind] !== undefined && value !== undefined && blocked[kind].includes(value));
  if (isOut(mcc, 'mcc')) return 'mcc_blocked';
  if (isOut(country, 'country')) return 'country_blocked';
  if (isOut(id, 'merchant_id')) return 'merchant_blocked';
  return online === false && isOnline ? 'online_blocked' : undefined;
}

type Limit = NonNullable<CardControls['spending_limits']>[number];

async function limitRefusal(
  tx: Db,
  { card, request, payment }: RuledPayment,
  controls: readonly CardControls[],
): Promise<DeclineReason | undefined> {
  const limits = controls
    .flatMap(({ spending_limits = [] }) => spending_limits)
    .filter(({ mcc }) => countsIn(mcc, request.merchant));
  const intervals = limits.flatMap(({ interval, mcc = null }, n): IntervalLimit[] =>
    interval === 'transaction' ? [] : [{ n, interval, mcc }],
  );
  const spent = await spentByLimit(tx, card, intervals);
  const own = payment ? payment.held + payment.settled : 0n;
  const passed = limits.find((limit, n) => {
    const used = limit.interval === 'transaction' ? own : (spent.get(n) ?? 0n);
    return used + request.units > mostOf(limit, card);
  });
  return passed && (`limit_${passed.interval}` as const);
}

const countsIn = (mcc: Limit['mcc'], merchant: CardMerchant): boolean =>
  mcc === undefined || mcc.includes(merchant.mcc ?? '');

const mostOf = ({ amount }: Limit, { currency }: IssuedCard): bigint =>
  money(currency as Fiat, amount).units;
