import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import type { MarketDeps } from '../deps.ts';
import { emitOrder, emitPayment } from './events.ts';
import { assetOf, assignedOperation, marketAccounts, settledOperation } from './legs.ts';
import { lockOrder, type MarketplaceOrder, markAssigned } from './order-store.ts';
import { lockPayment, type MarketplacePayment } from './payment-store.ts';
import { recordAssigned, recordSettled, recordWrittenOff } from './refund-store.ts';
import { orderNotFound, wrongStatus } from './states.ts';

export type ManualDeps = Pick<MarketDeps, 'db' | 'clock' | 'evm'>;

interface ManualAct {
  readonly payment_id: number;
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

/**
 * Pays an unpaid or expired order with a payment that is owed to its payer; the rest stays owed. Repetitions assign
 * once.
 */
export async function assignPayment(
  deps: ManualDeps,
  act: ManualAct & { readonly order_id: string },
): Promise<MarketplacePayment> {
  const { payment_id, order_id } = act;
  return transact(deps.db, async (tx) => {
    // `endOrder` locks them in the same order.
    const order = await lockOrder(tx, order_id);
    const payment = await requirePayment(tx, payment_id);
    if (order === undefined) throw orderNotFound();
    if (payment.assigned_order_id === order_id && payment.applied_units > 0n) return payment;
    refuseUnfit(payment, order);
    const row = await recordAssigned(tx, payment, order, act.caller.user_id);
    const paid = await markAssigned(tx, order.serial, payment.tx_hash, deps.clock.now());
    if (row === undefined || paid === undefined)
      throw new Error(`Payment ${payment_id} was locked and could not be given to ${order_id}`);
    emitPayment(tx, 'assigned', { evm: deps.evm, row });
    emitOrder(tx, 'paid', paid);
    await audit(tx, act, 'MARKETPLACE_PAYMENT_ASSIGNED', {
      client_id: paid.client_id,
      subject_user_id: paid.user_id,
      details: { payment_id, order_id, tx_hash: payment.tx_hash },
    });
    const accounts = await marketAccounts(tx, 'USDC');
    await postWithin(tx, assignedOperation(row, order_id, accounts));
    return row;
  });
}

function refuseUnfit(payment: MarketplacePayment, order: MarketplaceOrder): void {
  const { refund, applied_units, sent_units, units } = payment;
  if (refund !== 'OWED' || applied_units > 0n || sent_units > 0n)
    throw fail('INVALID_STATUS', 'Nothing of this payment is free for an order', {
      details: { refund },
    });
  if (payment.adrift_until !== null) throw notSettled();
  if (!['PENDING', 'CANCELLED'].includes(order.payment_status))
    throw wrongStatus(order.payment_status);
  if (order.is_paying) throw fail('CONFLICT', 'The order is being paid at the moment');
  if (order.chain_id !== payment.chain_id || order.token_address !== payment.token)
    throw fail('CONFLICT', 'The order is to be paid on another chain or in another token');
  if (units < order.units) throw fail('INVALID_AMOUNT', 'The payment is less than the order costs');
}

/** Records that a payer was refunded by other means than ours, with a note. */
export const markRefunded = (
  deps: ManualDeps,
  act: ManualAct & { readonly note: string },
): Promise<MarketplacePayment> =>
  transact(deps.db, async (tx) => {
    const { payment_id, note, caller } = act;
    const before = await requirePayment(tx, payment_id);
    if (before.refund === 'SENT' && before.settled_note === note) return before;
    if (before.adrift_until !== null) throw notSettled();
    const row = await recordSettled(tx, payment_id, note, caller.user_id);
    if (row === undefined)
      throw fail('INVALID_STATUS', 'There is nothing that is owed and not on its way', {
        details: { refund: before.refund },
      });
    emitPayment(tx, 'refunded', { evm: deps.evm, row });
    await audit(tx, act, 'MARKETPLACE_REFUND_MARKED', { details: { payment_id, note } });
    const asset = assetOf(deps.evm.chains[row.chain_id], row.token);
    const units = before.owed_units - before.sent_units;
    if (asset)
      await postWithin(tx, settledOperation(before, units, await marketAccounts(tx, asset)));
    return row;
  });

/** Closes a loss with the operator's note. The ledger has it already. */
export const writeOff = (
  deps: ManualDeps,
  act: ManualAct & { readonly note: string },
): Promise<MarketplacePayment> =>
  transact(deps.db, async (tx) => {
    const { payment_id, note, caller } = act;
    const before = await requirePayment(tx, payment_id);
    if (before.loss_note === note) return before;
    const row = await recordWrittenOff(tx, payment_id, note, caller.user_id);
    if (row === undefined) throw fail('INVALID_STATUS', 'There is no open loss of that order');
    emitPayment(tx, 'written_off', { evm: deps.evm, row });
    await audit(tx, act, 'MARKETPLACE_LOSS_WRITTEN_OFF', { details: { payment_id, note } });
    return row;
  });

async function requirePayment(tx: Db, payment_id: number): Promise<MarketplacePayment> {
  const row = await lockPayment(tx, payment_id);
  if (row === undefined) throw fail('NOT_FOUND', 'Payment not found');
  return row;
}

const notSettled = () =>
  fail('CONFLICT', 'The payment is not settled at the moment: try again later');

type AuditFacts = Omit<Parameters<typeof logActivity>[1], 'action' | 'actor' | 'request'>;

const audit = (
  tx: Db,
  { caller, request }: ManualAct,
  action: string,
  facts: AuditFacts,
): Promise<void> => logActivity(tx, { action, actor: caller, request, ...facts });
