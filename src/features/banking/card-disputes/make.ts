import {
  type CardPayment,
  disputableSettlement,
  findCardPayment,
  lockCardPayment,
  noteDispute,
} from '#features/banking/card-payments/card-payments.ts';
import { lockIssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { type Currency, moneyOf } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import type { DisputeReason, IssuingCurrency } from '#providers/issuing/port.ts';
import type { CardDisputeDeps } from './deps.ts';
import { emitDisputeChange, emitNewDispute } from './events.ts';
import { nameEvidence } from './evidence.ts';
import {
  type CardDispute,
  changeCardDispute,
  filesOfDisputes,
  insertCardDispute,
  openDisputeOf,
} from './store.ts';

const WINDOW_DAYS = 120;
const DAY_MS = 86_400_000;

export interface DisputeClaim {
  readonly reason?: DisputeReason | undefined;
  readonly amount?: string | undefined;
  readonly explanation?: string | undefined;
  readonly evidence?: readonly string[] | undefined;
}

/** Throws NOT_FOUND, INVALID_STATUS, CONFLICT and VALIDATION_ERROR. */
export async function makeDispute(
  deps: CardDisputeDeps,
  tx: Db,
  order: {
    readonly operation: string;
    readonly caller: UserCaller;
    readonly payment_id: string;
    readonly claim: DisputeClaim & { readonly reason: DisputeReason; readonly explanation: string };
  },
): Promise<CardDispute> {
  const { operation, caller, payment_id, claim } = order;
  const found = await findCardPayment(tx, { user_id: caller.user_id }, payment_id);
  if (!found) throw fail('NOT_FOUND', 'Card transaction not found');
  await lockIssuedCard(tx, {}, found.card_id);
  const payment = await lockCardPayment(tx, payment_id);
  if (!payment) throw fail('NOT_FOUND', 'Card transaction not found');
  const what = await disputed(deps, tx, payment, claim.amount);
  const dispute_id = newObjectUuid(deps.clock.ms());
  const made = await insertCardDispute(tx, {
    dispute_id,
    object_id: objectId('dsp', dispute_id),
    operation,
    payment_id,
    card_id: payment.card_id,
    client_id: payment.client_id,
    user_id: payment.user_id,
    account_id: payment.account_id,
    currency: payment.currency as IssuingCurrency,
    reason: claim.reason,
    explanation: claim.explanation,
    ...what,
  });
  if (!made) throw await alreadyDisputed(tx, payment_id);
  const evidence = { dispute_id, stage: 'CLAIM', owner: caller.user_id } as const;
  await nameEvidence(deps.files, tx, { ...evidence, file_ids: claim.evidence ?? [] });
  const files = (await filesOfDisputes(tx, [dispute_id])).get(dispute_id) ?? [];
  emitNewDispute(tx, { dispute: made, files, events: [] });
  await noteDispute(tx, payment_id, { isDisputed: true, elements: [], claimed: 0n, won: 0n });
  return made;
}

async function alreadyDisputed(tx: Db, payment_id: string) {
  const open = await openDisputeOf(tx, payment_id);
  const details = open && { dispute_id: open.object_id };
  return fail('CONFLICT', 'It is disputed already', details && { details });
}

/** What was settled, and has not come back by the shop or by another dispute. */
export const disputableOf = ({ settled, refunded, claimed }: CardPayment): bigint =>
  settled - refunded - claimed;

/** What of a payment can be disputed now. */
async function disputed({ clock }: CardDisputeDeps, tx: Db, payment: CardPayment, amount?: string) {
  const settled = await disputableSettlement(tx, payment.payment_id);
  if (!settled?.transaction_token)
    throw notAllowedIn(payment.status, ['PARTIALLY_SETTLED', 'SETTLED']);
  const until = new Date(Date.parse(settled.at) + WINDOW_DAYS * DAY_MS);
  if (until < clock.now())
    throw fail('INVALID_STATUS', `It was settled more than ${WINDOW_DAYS} days ago`, {
      status: 409,
      details: { status: payment.status, until: until.toISOString() },
    });
  const { currency } = payment;
  const left = disputableOf(payment);
  if (left <= 0n) throw notAllowedIn(payment.status, ['PARTIALLY_SETTLED', 'SETTLED']);
  const asked =
    amount === undefined ? left : moneyOf({ amount, currency: currency as Currency }).units;
  if (asked > left) {
    const most = format({ asset: currency, units: left });
    throw wrongField('amount', `must not be more than was settled and not given back: ${most}`);
  }
  return {
    amount: asked,
    transaction_token: settled.transaction_token,
    is_whole: asked === settled.amount,
  };
}

/** Edits a draft that is locked with its card. Throws as `makeDispute`. */
export async function editDispute(
  deps: CardDisputeDeps,
  tx: Db,
  dispute: CardDispute,
  { owner, claim }: { readonly owner: number; readonly claim: DisputeClaim },
): Promise<CardDispute> {
  if (dispute.status !== 'DRAFT') throw notAllowedIn(dispute.status, ['DRAFT']);
  const { reason = dispute.reason, explanation = dispute.explanation, amount, evidence } = claim;
  const payment = await lockCardPayment(tx, dispute.payment_id);
  if (!payment) throw fail('NOT_FOUND', 'Card transaction not found');
  const what = amount === undefined ? {} : await disputed(deps, tx, payment, amount);
  const { dispute_id } = dispute;
  if (evidence !== undefined)
    await nameEvidence(deps.files, tx, { dispute_id, stage: 'CLAIM', owner, file_ids: evidence });
  const after = await changeCardDispute(tx, dispute, 'DRAFT', { reason, explanation, ...what });
  await emitDisputeChange(tx, dispute, after);
  return after;
}
