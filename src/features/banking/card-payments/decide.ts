import { setTimeout } from 'node:timers/promises';
import {
  findIssuedCard,
  holderToken,
  lockIssuedCard,
} from '#features/banking/issued-cards/issued-cards.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { isPolicyRefusal } from '#kernel/policies/refusals.ts';
import { transact } from '#kernel/transact.ts';
import type { DeclineReason, FundingAnswer, FundingRequest } from '#providers/issuing/port.ts';
import { approveFunding } from './approve.ts';
import { bookElement } from './book.ts';
import { clientWordOn } from './client-word.ts';
import { startDeadline, within } from './deadline.ts';
import { writeDecisionOfCard } from './decision-store.ts';
import type { CardPaymentDeps } from './deps.ts';
import { emitDecisionTimedOut } from './events.ts';
import {
  answeredBefore,
  Declined,
  decisionRow,
  decline,
  type FundingQuestion,
  payingCardOf,
  paymentAsked,
  StillAsked,
} from './question.ts';
import { takeBackYes } from './take-back.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Decides whether a card pays. A yes is written with its hold in one transaction, or is none; the same question gets the
 * same answer; and where the time is over before that has committed, the answer is no and nothing stays held.
 */
export async function decideFunding(
  deps: CardPaymentDeps,
  request: FundingRequest,
): Promise<FundingAnswer> {
  const deadline = startDeadline();
  const receivedAt = deps.clock.now();
  const card_id = request.cardToken;
  const card = UUID.test(card_id) ? await findIssuedCard(deps.db, {}, card_id) : undefined;
  // A card and a holder that do not belong together are none of ours.
  if (!card || request.userToken !== holderToken(card.user_id)) {
    deps.log.warn(
      { transaction: request.token },
      'The processor asks about a card that is not ours',
    );
    return decline('unknown_card');
  }
  const decision_id = newObjectUuid(deps.clock.ms());
  const question = {
    request,
    card_id,
    client_id: card.client_id,
    decision_id,
    payment_id: newObjectUuid(deps.clock.ms()),
    deadline,
    receivedAt,
  };
  const answer = await within(deadline, answerOf(deps, question));
  if (answer !== 'late') return answer;
  deps.log.warn(
    { decision: objectId('cdc', decision_id) },
    'A decision about a card took too long',
  );
  return decline('decision_timed_out');
}

/** Never throws: what goes wrong is a no, and what was said too late is taken back. */
async function answerOf(deps: CardPaymentDeps, question: FundingQuestion): Promise<FundingAnswer> {
  try {
    const answer = await decided(deps, question);
    if (!question.deadline.isOver() || !answer.approve) return answer;
    await takeBackYes(deps, question.decision_id);
  } catch (error) {
    if (!(error instanceof StillAsked))
      deps.log.error(
        { err: error, transaction: question.request.token },
        'A card was not decided about',
      );
  }
  return decline('decision_timed_out');
}

const AGAIN_MS = 20;

/** The same question at the same time waits for the answer that the first one gets. */
async function decided(deps: CardPaymentDeps, question: FundingQuestion): Promise<FundingAnswer> {
  for (;;) {
    try {
      return await decidedOnce(deps, question);
    } catch (error) {
      if (!(error instanceof StillAsked) || question.deadline.isOver()) throw error;
      await setTimeout(AGAIN_MS);
    }
  }
}

async function decidedOnce(
  deps: CardPaymentDeps,
  question: FundingQuestion,
): Promise<FundingAnswer> {
  let asked = question;
  try {
    const word = await clientWordOn(deps, question);
    if (word !== undefined && 'approve' in word) return word;
    if (word !== undefined) asked = { ...question, client: word };
    return await transact(deps.db, (tx) => approveFunding(deps, tx, asked));
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return transact(deps.db, (tx) => writeNo(deps, tx, asked, reason));
  }
}

const BY_CODE: Readonly<Record<string, DeclineReason>> = {
  INSUFFICIENT_BALANCE: 'insufficient_funds',
  WALLET_FROZEN: 'wallet_frozen',
  ACCOUNT_NOT_ACTIVE: 'wallet_frozen',
};

function reasonOf(error: unknown): DeclineReason | undefined {
  if (error instanceof Declined) return error.reason;
  if (isPolicyRefusal(error)) return 'policy_denied';
  return error instanceof AppError ? BY_CODE[error.code] : undefined;
}

const BY_CLIENT: ReadonlySet<DeclineReason> = new Set(['client_declined', 'client_timed_out']);

/** Keeps a no, with the payment that was declined; the same question may have been answered meanwhile. */
async function writeNo(
  deps: CardPaymentDeps,
  tx: Db,
  question: FundingQuestion,
  reason: DeclineReason,
): Promise<FundingAnswer> {
  const { request, card_id, decision_id } = question;
  const card = await lockIssuedCard(tx, {}, card_id);
  if (!card) return decline(reason);
  const before = await answeredBefore(tx, question, card);
  if (before) return before;
  const isLate = reason === 'decision_timed_out';
  const found = await paymentAsked(tx, question);
  const isPayment = request.kind !== 'balance' && request.currency === card.currency;
  const payment_id = isPayment ? (found.payment?.payment_id ?? found.new_id) : null;
  const decision = await writeDecisionOfCard(tx, {
    ...decisionRow(question, card),
    status: isLate ? 'TIMED_OUT' : 'RESPONDED',
    decided_by: BY_CLIENT.has(reason) ? 'client' : 'rules',
    decision: 'decline',
    reason,
    payment_id,
    amount: 0n,
    confirm_after: null,
  });
  if (isPayment) {
    const at = deps.clock.now().toISOString();
    await bookElement(deps, tx, {
      card: await payingCardOf(tx, card),
      message: request,
      type: 'decline',
      amount: request.units,
      isFinal: false,
      mustHold: false,
      decision_id,
      found,
      failure: { code: reason, message: `Declined: ${reason}`, retryable: false, at },
    });
  }
  if (isLate) emitDecisionTimedOut(tx, decision);
  return decline(reason);
}
