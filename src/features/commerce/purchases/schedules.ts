import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { OrderDeps } from './deps.ts';
import { emitPurchase } from './events.ts';
import { expireOrders, forgetExpired } from './store.ts';

const AT_ONCE = 500;
const DAY_MS = 24 * 3_600_000;
const KEPT_MS = 90 * DAY_MS;

/** Expires unconfirmed orders, and deletes them three months later. */
export const purchaseSchedules = ({ db, clock }: Pick<OrderDeps, 'db' | 'clock'>): Schedule[] => [
  defineSchedule({
    name: 'purchases.expire',
    cron: '* * * * *',
    async run({ signal }) {
      for (let found = AT_ONCE; found === AT_ONCE && !signal.aborted; )
        found = await transact(db, async (tx) => {
          const orders = await expireOrders(tx, clock.now(), AT_ONCE);
          for (const order of orders) emitPurchase(tx, 'expired', order);
          return orders.length;
        });
    },
  }),
  defineSchedule({
    name: 'purchases.forget',
    cron: '17 3 * * *',
    async run({ signal }) {
      const before = new Date(clock.now().getTime() - KEPT_MS);
      for (let found = AT_ONCE; found === AT_ONCE && !signal.aborted; )
        found = await forgetExpired(db, before, AT_ONCE);
    },
  }),
];
