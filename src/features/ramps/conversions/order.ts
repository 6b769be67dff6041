import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type Settled } from '#kernel/effects/effect.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import type { Bought } from '#providers/exchange/port.ts';
import { conversionAccounts } from './accounts.ts';
import { recordConversionSteps } from './audit.ts';
import type { ConversionDeps } from './deps.ts';
import type { NextStep } from './next-step.ts';
import {
  type ConversionOrder,
  findConversionOrder,
  markFilled,
  markOrderRefused,
} from './order-store.ts';
import { conversionRateOf, tradeOperations } from './postings.ts';
import { retryLater } from './retry.ts';
import { priceRefusal } from './slippage.ts';
import { addTrade, type ConversionJob } from './store.ts';
import { PAUSES, UNSEEN } from './withdrawal.ts';

export type OrderEffect = Effect<ConversionOrder, Bought>;

const AT_ONCE = 10;

/**
 * An order at the exchange, under a name of its own. The exchange accepts a name twice, so that the order is sent
 * once, and only looked up afterwards. Its rest goes into the next order, or back to the wallet.
 */
export const orderEffect = (
  deps: Omit<ConversionDeps, 'effects'>,
  nextStep: NextStep,
): OrderEffect => {
  const { exchange, clock } = deps;
  /** In one posting, because all of them move the house's accounts. */
  async function settleAll(
    tx: Db,
    all: readonly Settled<ConversionOrder, Bought>[],
  ): Promise<void> {
    const house = await conversionAccounts(tx);
    const operations: Operation[] = [];
    for (const { row, value } of all) {
      const job = await book(tx, row, value);
      const trading = tradeOperations({ reference: row.reference, ...value }, house);
      operations.push(...trading, ...(await nextStep(tx, job)));
    }
    await postAllWithin(tx, operations);
  }
  return defineEffect<ConversionOrder, Bought>({
    kind: 'conversion-order',
    provider: 'exchange',
    repeatable: false,
    unseen: UNSEEN,
    pauses: PAUSES,
    concurrency: AT_ONCE,
    open: findConversionOrder,
    names: ({ reference }) => [`conversion-order:${reference}`],
    call: async (order) => {
      const { reference, amount } = order;
      const why = await priceRefusal(deps, amount);
      if (why) return why;
      return verifySpent(order, await exchange.buy({ reference, units: amount }));
    },
    lookUp: async (order, { openedAt }) =>
      verifySpent(
        order,
        await exchange.findPurchase({ reference: order.reference, since: openedAt }),
      ),
    settle: (tx, row, value) => settleAll(tx, [{ row, value }]),
    settleAll,
    refuse: async (tx, { order_id, job_id }, { code, message }) => {
      await markOrderRefused(tx, order_id);
      await retryLater(tx, clock, job_id, { code, message, step: 'CONVERSION_ORDER_REFUSED' });
      return undefined;
    },
  });
};

/** An order that has spent more than its amount is neither booked nor given up: it is left to a person. */
const verifySpent = <T extends Bought | undefined>(
  { amount }: ConversionOrder,
  answer: Outcome<T>,
): Outcome<T> =>
  answer.kind === 'done' && answer.value !== undefined && answer.value.spent > amount
    ? unknown('It has spent more than was asked for')
    : answer;

async function book(
  tx: Db,
  { order_id, job_id, reference }: ConversionOrder,
  bought: Bought,
): Promise<ConversionJob> {
  const rate = conversionRateOf(bought);
  await markFilled(tx, order_id, bought, rate);
  const job = await addTrade(tx, job_id, bought);
  const details = { reference, rate, spent: `${bought.spent}`, bought: `${bought.bought}` };
  await recordConversionSteps(tx, 'CONVERSION_TRADED', [job], details);
  return job;
}
