import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type Settled } from '#kernel/effects/effect.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import type { Bought } from '#providers/exchange/port.ts';
import { conversionAccounts } from './accounts.ts';
import type { Advance } from './advance.ts';
import type { ConversionDeps } from './deps.ts';
import { noteSteps } from './note.ts';
import {
  type ConversionOrder,
  findConversionOrder,
  markFilled,
  markOrderRefused,
} from './order-store.ts';
import { conversionRateOf, tradeOperations } from './postings.ts';
import { tooDear } from './slippage.ts';
import { addTrade, type ConversionJob, getJob, holdUp } from './store.ts';
import { pauseAfter } from './terms.ts';
import { PAUSES, UNSEEN } from './withdrawal.ts';

export type OrderEffect = Effect<ConversionOrder, Bought>;

const AT_ONCE = 10;

/**
 * An order at the exchange, under a name of its own. The exchange takes a name twice, so it is sent
 * once, and looked for ever after. What it leaves is for the next order, or goes back.
 */
export const orderEffect = (
  deps: Omit<ConversionDeps, 'effects'>,
  advance: Advance,
): OrderEffect => {
  const { exchange, clock } = deps;
  /** Together, because all of them move the house's accounts. */
  async function settleAll(
    tx: Db,
    all: readonly Settled<ConversionOrder, Bought>[],
  ): Promise<void> {
    const house = await conversionAccounts(tx);
    const operations: Operation[] = [];
    for (const { row, value } of all) {
      const job = await book(tx, row, value);
      const trading = tradeOperations({ reference: row.reference, ...value }, house);
      operations.push(...trading, ...(await advance(tx, job)));
    }
    await postAllWithin(tx, operations);
  }
  return defineEffect<ConversionOrder, Bought>({
    kind: 'conversion-order',
    repeatable: false,
    unseen: UNSEEN,
    pauses: PAUSES,
    concurrency: AT_ONCE,
    open: findConversionOrder,
    names: ({ reference }) => [`conversion-order:${reference}`],
    call: async (order) => {
      const { reference, amount } = order;
      const why = await tooDear(deps, amount);
      if (why) return why;
      return weigh(order, await exchange.buy({ reference, units: amount }));
    },
    lookUp: async (order, { openedAt }) =>
      weigh(order, await exchange.findPurchase({ reference: order.reference, since: openedAt })),
    settle: (tx, row, value) => settleAll(tx, [{ row, value }]),
    settleAll,
    refuse: async (tx, { order_id, job_id }, { code, message }) => {
      await markOrderRefused(tx, order_id);
      const job = await getJob(tx, job_id);
      const tryAt = new Date(clock.now().getTime() + pauseAfter(job.tries));
      await holdUp(tx, job_id, { code, message, tryAt });
      await noteSteps(tx, 'CONVERSION_ORDER_REFUSED', [job], { code });
      return undefined;
    },
  });
};

/** One that has spent more than it was told to is neither booked nor given up: people have to look. */
const weigh = <T extends Bought | undefined>(
  { amount }: ConversionOrder,
  told: Outcome<T>,
): Outcome<T> =>
  told.kind === 'done' && told.value !== undefined && told.value.spent > amount
    ? unknown('It has spent more than was asked for')
    : told;

async function book(
  tx: Db,
  { order_id, job_id, reference }: ConversionOrder,
  bought: Bought,
): Promise<ConversionJob> {
  const rate = conversionRateOf(bought);
  await markFilled(tx, order_id, bought, rate);
  const job = await addTrade(tx, job_id, bought);
  const details = { reference, rate, spent: `${bought.spent}`, bought: `${bought.bought}` };
  await noteSteps(tx, 'CONVERSION_TRADED', [job], details);
  return job;
}
