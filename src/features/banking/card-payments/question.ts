import type { IssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import { type Fiat, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import type {
  CardMessage,
  DeclineReason,
  FundingAnswer,
  FundingRequest,
} from '#providers/issuing/port.ts';
import { messageNames, networkReferenceOf, type PayingCard } from './book.ts';
import type { Deadline } from './deadline.ts';
import {
  type CardDecision,
  type DecisionKey,
  findDecisionByKey,
  type NewCardDecision,
} from './decision-store.ts';
import { type CardPayment, lockNamedPayment } from './payment-store.ts';

/** A question of the processor about a card of ours. */
export interface FundingQuestion {
  readonly request: FundingRequest;
  readonly card_id: string;
  readonly client_id: number;
  readonly decision_id: string;
  /** Of the payment that it begins, where it begins one. */
  readonly payment_id: string;
  readonly deadline: Deadline;
  readonly receivedAt: Date;
  /** What the client's own system has said, where it was asked. */
  readonly client?: ClientWord;
}

/** What came of the question to a client's own system. */
export interface ClientWord {
  readonly answer: NonNullable<CardDecision['client_answer']>;
  /** Why it declines; undefined where it allows the payment, or its fallback does. */
  readonly refusal: 'client_declined' | 'client_timed_out' | undefined;
  /** Not more than that. */
  readonly most: bigint | undefined;
  readonly reason: string | undefined;
}

/** The no of a rule, which undoes the transaction in which it is found. */
export class Declined extends Error {
  readonly reason: DeclineReason;
  constructor(reason: DeclineReason) {
    super(`Declined: ${reason}`);
    this.reason = reason;
  }
}

/** The same question is being answered by another call. */
export class StillAsked extends Error {}

export const decline = (reason: DeclineReason): FundingAnswer => ({ approve: false, reason });

const keyOf = ({ request, card_id }: FundingQuestion): DecisionKey => ({
  card_id,
  network_reference: networkReferenceOf(request),
  kind: request.kind,
  sequence: request.sequence,
});

/**
 * What was answered to the same question before. The card is locked. Throws `StillAsked` while another call waits for the
 * client's word about it.
 */
export async function answeredBefore(
  tx: Db,
  question: FundingQuestion,
  card: IssuedCard,
): Promise<FundingAnswer | undefined> {
  const known = await findDecisionByKey(tx, keyOf(question));
  if (known === undefined) return undefined;
  if (known.status === 'PENDING') {
    if (known.decision_id === question.decision_id) return undefined;
    throw new StillAsked();
  }
  if (known.decision !== 'approve') return decline(known.reason ?? 'decision_timed_out');
  if (known.kind !== 'balance') return { approve: true, units: known.amount };
  const { account_id } = await payingCardOf(tx, card);
  return { approve: true, units: 0n, available: (await balanceOf(tx, account_id)).available };
}

/** A card with the account of its wallet. */
export async function payingCardOf(tx: Db, card: IssuedCard): Promise<PayingCard> {
  const wallet = await findFiatWallet(tx, { user_id: card.user_id }, card.wallet_id);
  if (!wallet) throw new Error(`Card ${card.card_id} pays from a wallet that is not there`);
  return { ...card, account_id: wallet.account_id };
}

/** The payment that a question is about, or the id of the one that it begins. */
export interface FoundPayment {
  readonly payment: CardPayment | undefined;
  readonly new_id: string;
}

/** What is asked for after the end of a payment begins another one. */
export async function paymentAsked(
  tx: Db,
  { request, card_id, payment_id: new_id }: FundingQuestion,
): Promise<FoundPayment> {
  const known = await lockNamedPayment(tx, card_id, messageNames(request));
  return { payment: known?.is_closed ? undefined : known, new_id };
}

const CONFIRM_MS = 15 * 60_000;

/** The row of a decision, without what was said. */
export function decisionRow(
  question: FundingQuestion,
  card: IssuedCard,
): Omit<NewCardDecision, 'decision' | 'reason' | 'payment_id' | 'amount'> {
  const { request, deadline, receivedAt, client } = question;
  const ms = Math.round(deadline.elapsedMs());
  const time = (after: number) => new Date(receivedAt.getTime() + after).toISOString();
  const holds = request.kind === 'authorization' || request.kind === 'increment';
  return {
    decision_id: question.decision_id,
    ...keyOf(question),
    client_id: card.client_id,
    user_id: card.user_id,
    type: request.kind === 'balance' ? 'balance_inquiry' : 'authorization',
    transaction_token: request.token,
    status: 'RESPONDED',
    asked: request.units,
    currency: request.currency as Fiat,
    decided_by: client?.answer === 'approve' ? 'client' : 'rules',
    client_answer: client?.answer ?? null,
    client_reason: client?.reason ?? null,
    received_at: receivedAt.toISOString(),
    timeout_at: time(deadline.budgetMs),
    responded_at: time(ms),
    ms,
    confirm_after: holds ? time(CONFIRM_MS) : null,
  };
}

/** As if the network had sent it: of what we do ourselves about a payment. */
export const messageOurs = (
  payment: CardPayment,
  own: Pick<CardMessage, 'token' | 'networkReference' | 'sequence' | 'units'>,
): CardMessage => ({
  ...own,
  follows: undefined,
  cardToken: payment.card_id,
  currency: payment.currency,
  merchant: {
    id: undefined,
    name: payment.merchant_name,
    mcc: undefined,
    city: undefined,
    country: undefined,
  },
  foreign: undefined,
  at: undefined,
});
