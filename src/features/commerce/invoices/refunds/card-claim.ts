import type { CardPull } from '#features/fiat/cards/cards.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';
import { transact } from '#kernel/transact.ts';
import type { Card } from '#providers/card-network/port.ts';
import { endUntriedCard } from '../card/pay.ts';
import { readTypedCard, type TypedCard } from '../card/typed.ts';
import { emitNamedRefund } from '../events.ts';
import { findInvoicePayment } from '../payment-store.ts';
import { strayHold } from '../postings.ts';
import { findInvoice } from '../store.ts';
import { isClaimable, mayPay } from './claim.ts';
import type { ClaimedRefund } from './claim-page.ts';
import type { ClaimObstacle } from './claim-texts.ts';
import type { RefundDeps } from './deps.ts';
import { type InvoiceRefund, moveInvoiceRefund, requireInvoiceRefund } from './refund-store.ts';
import { REFUND_PATIENCE_MS } from './to-bank.ts';

/** Each could tell whether a number is that of the card. */
const TRIES_A_DAY = 10;

/**
 * Gives a refund back to the card that has paid, which the bearer of its link has typed, once. Answers what is in the way,
 * where something is.
 */
export async function payCardClaim(
  deps: RefundDeps,
  { refund }: ClaimedRefund,
  typed: TypedCard,
  request: RequestFacts,
): Promise<ClaimObstacle | undefined> {
  const card = readTypedCard(deps, typed);
  if (typeof card === 'string') return card;
  const { db, quotas } = deps;
  const quota = { subject: `claims of ${refund.object_id}`, most: TRIES_A_DAY, withinMs: DAY_MS };
  if (await transact(db, (tx) => quotas.take(tx, [quota]))) return 'too_often';
  const { original, pull } = await pullBack(deps, refund, { card, request });
  try {
    await deps.cards.requireCardOf(original, pull);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'RATE_LIMITED' ? 'too_often' : 'other_card';
  }
  const obstacle = await transact(db, (tx) => bringCard(deps, tx, refund));
  if (obstacle !== undefined) return obstacle === 'gone' ? undefined : obstacle;
  await giveBack(deps, refund.object_id, () => deps.cards.giveHeldBack(original, pull));
  return undefined;
}

async function giveBack(deps: RefundDeps, flow: string, give: () => Promise<unknown>) {
  try {
    await give();
  } catch (error) {
    await endUntriedCard(deps, flow);
    if (!(error instanceof AppError)) throw error;
    deps.log.warn({ refund: flow, code: error.code }, 'A card was not given its money back yet');
  }
  await deps.sagas.drive(flow, { patienceMs: REFUND_PATIENCE_MS });
}

/** The payment at the network, and the order to give a part of it back. */
async function pullBack(
  { db, cards }: RefundDeps,
  { object_id: flow, refund_id, payment_id, invoice, currency, amount }: InvoiceRefund,
  { card, request }: { readonly card: Card; readonly request: RequestFacts },
) {
  const payment = await findInvoicePayment(db, {}, payment_id);
  const original = await cards.byReference(db, payment?.provider_reference ?? '');
  if (!original) throw new Error(`${flow} gives back what no card has paid`);
  const pull: CardPull = {
    caller: original,
    page: invoice,
    operation: refund_id,
    flow,
    permit: (tx) => requirePending(tx, flow),
    request,
    wallet: original,
    money: { asset: currency, units: amount },
    card,
  };
  return { original, pull };
}

async function requirePending(tx: Db, flow: string): Promise<void> {
  const { status } = await requireInvoiceRefund(tx, flow);
  if (status !== 'PENDING') throw new Error(`${flow} has ended meanwhile`);
}

/** One update decides between several that bring it and the end of the time. */
async function bringCard(
  deps: RefundDeps,
  tx: Db,
  refund: InvoiceRefund,
): Promise<ClaimObstacle | 'gone' | undefined> {
  if (!isClaimable(deps, refund)) return 'gone';
  const isStray = refund.unmatched_id !== null;
  if (!isStray && !(await mayPay(tx, refund))) return 'not_now';
  const row = await moveInvoiceRefund(tx, refund, { from: 'AWAITING_PAYER', to: 'PENDING' });
  if (!row) return 'gone';
  if (!isStray) await emitNamedRefund(tx, 'pending', row);
  const drivenForMs = 2 * REFUND_PATIENCE_MS;
  await deps.sagas.start(tx, deps.refundingCards, { id: row.object_id, data: {}, drivenForMs });
  if (isStray) await postWithin(tx, await strayHold(tx, await accountOf(tx, row), row));
  return undefined;
}

async function accountOf(tx: Db, { invoice_id, object_id }: InvoiceRefund): Promise<number> {
  const invoice = await findInvoice(tx, {}, invoice_id);
  if (!invoice) throw new Error(`${object_id} has no invoice`);
  return invoice.account_id;
}
