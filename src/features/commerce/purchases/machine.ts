import type { ExecutedTransaction } from '#chains/evm/port.ts';
import { releaseHold } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import {
  type Machine,
  machineOf,
  type Saga,
  type StateTo,
  type StepState,
} from '#kernel/effects/saga-machine.ts';
import { notePurchaseStep } from './audit.ts';
import { bookPayment, bookRefund, bookSale } from './booking.ts';
import type { OrderDeps, PurchaseSetup } from './deps.ts';
import { assertNotSigned, payOnChain, recordOnChain, refundOnChain } from './on-chain.ts';
import { sendReceipt } from './receipt.ts';
import {
  getOrder,
  moveOrder,
  type PurchaseOrder,
  type PurchaseOrderStatus,
  purchaseReferenceOf,
} from './store.ts';

const PAUSES = { firstMs: 5000, maxMs: 10 * 60_000 };

const { step, final, machine } = machineOf<PurchaseSetup>();

/**
 * Pays on chain, sells for the shop's currency, records on chain, mails the receipt. A payment that its contract refuses
 * has moved nothing; a record that the commerce contract refuses leads to a refund (docs/design/commerce.md#49).
 */
export const purchaseMachine = (deps: OrderDeps): Machine<PurchaseSetup> =>
  machine({
    type: 'purchase',
    initial: 'pay',
    concurrency: 8,
    states: { ...paying(deps), ...recording(deps), ...refunding(deps) },
  });

type Onward<N extends string> = Pick<
  StepState<PurchaseSetup, ExecutedTransaction, N>,
  'apply' | 'next' | 'onRefused' | 'enter'
>;

/** A step on chain: the present order, and the outcome on chain. */
const onChain = <const N extends string>(
  deps: OrderDeps,
  send: typeof payOnChain,
  onward: Onward<N>,
): StateTo<PurchaseSetup, N> =>
  step({
    pauses: PAUSES,
    call: async ({ data }, context) => send(deps, await getOrder(deps.db, data.order_id), context),
    ...onward,
  });

const paying = (deps: OrderDeps) => ({
  pay: onChain(deps, payOnChain, {
    async apply(tx, { data }, { hash }) {
      const order = await move(tx, data, ['PAYING', 'PAID'], { payment_tx_hash: hash });
      await releaseHold(tx, [purchaseReferenceOf(order, 'pay')]);
      await notePurchaseStep(tx, 'PAID', order);
      await bookPayment(tx, order, hash);
      return undefined;
    },
    next: 'offramp',
    onRefused: 'failed',
  }),
  offramp: step({
    async apply(tx, { data }) {
      await bookSale(tx, await getOrder(tx, data.order_id));
      return undefined;
    },
    next: 'record',
  }),
  failed: final(async (tx, saga) => {
    const order = await move(tx, saga.data, ['PAYING', 'FAILED'], { failure: 'UNPAID' });
    await assertNotSigned(tx, purchaseReferenceOf(order, 'pay'));
    await releaseHold(tx, [purchaseReferenceOf(order, 'pay')]);
    await notePurchaseStep(tx, 'FAILED', order);
    return undefined;
  }),
});

const recording = (deps: OrderDeps) => ({
  record: onChain(deps, recordOnChain, {
    async apply(tx, { data }, { hash }) {
      const recorded = await move(tx, data, ['PAID', 'COMPLETED'], { record_tx_hash: hash });
      const order = (await sendReceipt(deps, tx, recorded))
        ? await move(tx, data, ['COMPLETED', 'COMPLETED'], { is_receipt_sent: true })
        : recorded;
      await notePurchaseStep(tx, 'COMPLETED', order);
      return undefined;
    },
    next: 'done',
    onRefused: 'refund',
  }),
  done: final(),
});

const refunding = (deps: OrderDeps) => ({
  refund: onChain(deps, refundOnChain, {
    async enter(tx, { data }) {
      const order = await move(tx, data, ['PAID', 'REFUNDING'], { failure: 'UNRECORDED' });
      await assertNotSigned(tx, purchaseReferenceOf(order, 'record'));
      await notePurchaseStep(tx, 'REFUNDING', order);
      return undefined;
    },
    async apply(tx, { data }, { hash }) {
      const order = await move(tx, data, ['REFUNDING', 'REFUNDED'], { refund_tx_hash: hash });
      await notePurchaseStep(tx, 'REFUNDED', order);
      await bookRefund(tx, order, hash);
      return undefined;
    },
    next: 'refunded',
    // A refund is never refused: see refundOnChain.
    onRefused: 'refunded',
  }),
  refunded: final(),
});

async function move(
  tx: Db,
  { order_id }: Saga<PurchaseSetup>['data'],
  [from, to]: readonly [PurchaseOrderStatus, PurchaseOrderStatus],
  known: Parameters<typeof moveOrder>[3],
): Promise<PurchaseOrder> {
  const order = await moveOrder(tx, order_id, { from, to }, known);
  if (!order) throw new Error(`${order_id} is not ${from}`);
  return order;
}
