import type {
  ClientAnswer,
  DecisionWebhook,
} from '#features/banking/card-decision-webhook/card-decision-webhook.ts';
import { issuedCardId } from '#features/banking/issued-cards/issued-cards.ts';
import type { Db } from '#kernel/db/db.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { format, type Money } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { transact } from '#kernel/transact.ts';
import type { FundingAnswer, FundingRequest } from '#providers/issuing/port.ts';
import { type AllowedFunding, allowedFunding } from './approve.ts';
import { writeDecisionOfCard } from './decision-store.ts';
import type { CardPaymentDeps } from './deps.ts';
import { type ClientWord, Declined, decisionRow, type FundingQuestion } from './question.ts';

/** What the transaction after the client's word needs of the time. */
const REST_MS = 400;
const ASKED: ReadonlySet<FundingRequest['kind']> = new Set(['authorization', 'increment']);

/**
 * What the client's own system says about a payment that the rules allow, where it has named one. The question is kept as
 * PENDING first, in a transaction of its own: the client is asked outside any, and rules and wallet are asked again after it.
 * Answers the decision itself where it was made before. Throws `Declined`.
 */
export async function clientWordOn(
  deps: CardPaymentDeps,
  question: FundingQuestion,
): Promise<ClientWord | FundingAnswer | undefined> {
  const { request, client_id, deadline, decision_id } = question;
  if (!ASKED.has(request.kind)) return undefined;
  const webhook = await deps.clients.webhookOf(deps.db, client_id);
  if (!webhook) return undefined;
  const opened = await transact(deps.db, (tx) => openQuestion(deps, tx, question));
  if ('approve' in opened) return opened;
  const asked: Money = { asset: request.currency, units: opened.amount };
  const answer = await deps.clients.ask(webhook, {
    id: objectId('cdc', decision_id),
    asked,
    mayBePartial: request.mayBePartial,
    data: askedAbout(question, opened, webhook, asked),
    leftMs: deadline.leftMs() - REST_MS,
  });
  return wordOf(answer, webhook, asked);
}

async function openQuestion(
  deps: CardPaymentDeps,
  tx: Db,
  question: FundingQuestion,
): Promise<AllowedFunding | FundingAnswer> {
  const allowed = await allowedFunding(deps, tx, question);
  if ('approve' in allowed) return allowed;
  const { card, paying, amount } = allowed;
  const { available } = await balanceOf(tx, paying.account_id);
  if (available < amount) throw new Declined('insufficient_funds');
  await writeDecisionOfCard(tx, {
    ...decisionRow(question, card),
    status: 'PENDING',
    decision: null,
    reason: null,
    decided_by: null,
    payment_id: null,
    amount: 0n,
    responded_at: null,
    ms: null,
    confirm_after: null,
  });
  return allowed;
}

function askedAbout(
  { request, decision_id, receivedAt }: FundingQuestion,
  { card, found }: AllowedFunding,
  { timeout_ms }: DecisionWebhook,
  asked: Money,
) {
  const { merchant, foreign, isOnline, mayBePartial, kind } = request;
  const { id, name, mcc, city, country } = merchant;
  return {
    decision_id: objectId('cdc', decision_id),
    card_id: issuedCardId(card),
    transaction_id: found.payment?.object_id ?? objectId('ctx', found.new_id),
    user_id: card.user_id,
    wallet_id: card.wallet_id,
    kind,
    amount: format(asked),
    currency: asked.asset,
    merchant: {
      id: id ?? null,
      name,
      mcc: mcc ?? null,
      city: city ?? null,
      country: country ?? null,
    },
    merchant_amount: foreign?.amount ?? null,
    merchant_currency: foreign?.currency ?? null,
    online: isOnline,
    partial_allowed: mayBePartial,
    timeout_at: new Date(receivedAt.getTime() + timeout_ms).toISOString(),
  };
}

/** It only narrows: whatever it says, the rules and the wallet are asked again. */
function wordOf(
  answer: ClientAnswer,
  { fallback_amount, fallback_currency }: DecisionWebhook,
  { asset, units }: Money,
): ClientWord {
  const said = { answer: answer.said, most: undefined, reason: undefined };
  if (answer.said === 'approve')
    return { ...said, refusal: undefined, most: answer.units ?? units };
  if (answer.said === 'decline')
    return { ...said, refusal: 'client_declined', reason: answer.reason };
  const isWithin =
    fallback_amount !== null && fallback_currency === asset && units <= fallback_amount;
  return { ...said, refusal: isWithin ? undefined : 'client_timed_out', most: units };
}
