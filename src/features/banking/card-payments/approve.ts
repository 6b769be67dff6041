import {
  type IssuedCard,
  issuedCardId,
  lockIssuedCard,
} from '#features/banking/issued-cards/issued-cards.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { objectId } from '#kernel/object-id.ts';
import type { FundingAnswer, FundingRequest } from '#providers/issuing/port.ts';
import { bookElement, markupOf, type PayingCard } from './book.ts';
import { writeDecisionOfCard } from './decision-store.ts';
import type { CardPaymentDeps } from './deps.ts';
import type { CardPayment } from './payment-store.ts';
import { smaller } from './postings.ts';
import {
  answeredBefore,
  Declined,
  decisionRow,
  type FoundPayment,
  type FundingQuestion,
  payingCardOf,
  paymentAsked,
} from './question.ts';
import { cardRefusalOf } from './rules.ts';

/** What the card, its controls and its wallet allow of a question; the card is locked. */
export interface AllowedFunding {
  readonly card: IssuedCard;
  readonly paying: PayingCard;
  readonly found: FoundPayment;
  readonly amount: bigint;
}

/** Answers where the same question was answered before. Throws `Declined`. */
export async function allowedFunding(
  deps: CardPaymentDeps,
  tx: Db,
  question: FundingQuestion,
): Promise<AllowedFunding | FundingAnswer> {
  const { request, card_id } = question;
  const card = await lockIssuedCard(tx, {}, card_id);
  if (!card) throw new Declined('unknown_card');
  const before = await answeredBefore(tx, question, card);
  if (before) return before;
  const found = await paymentAsked(tx, question);
  const ruled = { card, request, payment: found.payment, now: deps.clock.now().toISOString() };
  const refusal = await cardRefusalOf(tx, ruled);
  if (refusal !== undefined) throw new Declined(refusal);
  const paying = await payingCardOf(tx, card);
  const amount =
    request.kind === 'balance'
      ? 0n
      : await coveredPart(tx, paying, { request, payment: found.payment });
  return { card, paying, found, amount };
}

/** Writes a yes and its hold. Throws `Declined`, and what policies and the ledger refuse. */
export async function approveFunding(
  deps: CardPaymentDeps,
  tx: Db,
  question: FundingQuestion,
): Promise<FundingAnswer> {
  const { request, decision_id, client } = question;
  const allowed = await allowedFunding(deps, tx, question);
  if ('approve' in allowed) return allowed;
  if (client?.refusal !== undefined) throw new Declined(client.refusal);
  const { card, paying, found } = allowed;
  const said = { decision: 'approve', reason: null, payment_id: null } as const;
  if (request.kind === 'balance') {
    await writeDecisionOfCard(tx, { ...decisionRow(question, card), ...said, amount: 0n });
    const { available } = await balanceOf(tx, paying.account_id);
    return { approve: true, units: 0n, available };
  }
  const amount = client?.most === undefined ? allowed.amount : smaller(allowed.amount, client.most);
  if (amount > 0n) await askPolicies(deps, tx, { question, card, amount, found });
  const payment_id = found.payment?.payment_id ?? found.new_id;
  await writeDecisionOfCard(tx, { ...decisionRow(question, card), ...said, payment_id, amount });
  await bookElement(deps, tx, {
    card: paying,
    message: request,
    type: TYPE_OF[request.kind],
    amount,
    isFinal: false,
    mustHold: true,
    decision_id,
    found,
  });
  // The processor waits for it no more.
  if (question.deadline.isOver()) throw new Declined('decision_timed_out');
  return { approve: true, units: amount };
}

const TYPE_OF = {
  authorization: 'authorization',
  increment: 'increment',
  verification: 'validation',
} as const;

const WHOLE = 10_000n;

/** The amount; where a part is of use, what the wallet has for it and its markup. */
async function coveredPart(
  tx: Db,
  card: PayingCard,
  { request, payment }: { request: FundingRequest; payment: CardPayment | undefined },
): Promise<bigint> {
  const { units, foreign, mayBePartial } = request;
  if (!mayBePartial || units === 0n) return units;
  const { available } = await balanceOf(tx, card.account_id);
  const bps = payment?.markup_bps ?? (foreign ? await markupOf(tx, card, units) : 0);
  const covered = available > 0n ? (available * WHOLE) / (WHOLE + BigInt(bps)) : 0n;
  return covered > 0n && covered < units ? covered : units;
}

async function askPolicies(
  { policies, fx }: CardPaymentDeps,
  tx: Db,
  asked: {
    readonly question: FundingQuestion;
    readonly card: IssuedCard;
    readonly amount: bigint;
    readonly found: FoundPayment;
  },
): Promise<void> {
  const { question, card, amount, found } = asked;
  const { merchant, kind } = question.request;
  const payment_id = found.payment?.payment_id ?? found.new_id;
  const currency = card.currency as Fiat;
  await policies.decide(tx, {
    kind: 'card',
    op: `card_${kind}`,
    // Of all that is asked about a payment: it is given back where nothing is paid.
    operation: payment_id,
    payment_id: found.payment?.object_id ?? objectId('ctx', found.new_id),
    client_id: card.client_id,
    user_id: card.user_id,
    amount: { asset: currency, units: amount },
    // The rates that are known: nothing is called within a decision.
    market: fx.known?.(),
    wallet: { id: card.wallet_id, currency },
    recipient: {
      id: `merchant:${merchant.id ?? merchant.name}`,
      kind: 'merchant',
      ...(merchant.country !== undefined && { country: merchant.country }),
    },
    card_id: issuedCardId(card),
    metadata: merchant.mcc === undefined ? {} : { mcc: merchant.mcc },
  });
}
