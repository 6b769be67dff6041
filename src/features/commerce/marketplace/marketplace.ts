import type { Feature } from '#kernel/feature.ts';
import { chatRoutes } from './catalogue/chat-routes.ts';
import { createSearch } from './catalogue/search.ts';
import { searchRoutes } from './catalogue/search-routes.ts';
import type { MarketDeps } from './deps.ts';
import {
  MARKETPLACE_EVENTS,
  MARKETPLACE_ORDER_PAYMENTS,
  MARKETPLACE_RECEIPT_PAYMENTS,
} from './orders/events.ts';
import { expirySchedule } from './orders/expiry.ts';
import { paymentFollower } from './orders/follow.ts';
import { manualRoutes } from './orders/manual-routes.ts';
import { operatorRoutes } from './orders/operator-routes.ts';
import { orderRoutes } from './orders/order-routes.ts';
import { createPayEffect } from './orders/pay.ts';
import { payRoutes } from './orders/pay-routes.ts';
import { createRefundEffect } from './orders/refund.ts';
import { countLost, countOwed } from './orders/refund-store.ts';
import { createSweeps } from './orders/sweep.ts';
import { createWatch } from './orders/watch.ts';
import { MARKETPLACE_PERSON_DATA } from './person-data.ts';
import { MARKETPLACE_WORDS } from './reference.ts';

/** Goods of two marketplaces, found by search and chat, and ordered for USDC (contract part 2, Marketplace). */
export function createMarketplace(deps: MarketDeps): Feature {
  const sweeps = createSweeps(deps);
  const follower = paymentFollower({ ...deps, sweeps });
  const watch = createWatch(deps, follower);
  const payments = createPayEffect(deps);
  const refunds = createRefundEffect(deps);
  const search = createSearch(deps);
  measure(deps);
  return {
    name: 'marketplace',
    personData: MARKETPLACE_PERSON_DATA,
    reference: MARKETPLACE_WORDS,
    payments: [
      { object: 'marketplace_order', rail: 'marketplace', source: MARKETPLACE_ORDER_PAYMENTS },
      { object: 'marketplace_payment', rail: 'marketplace', source: MARKETPLACE_RECEIPT_PAYMENTS },
    ],
    routes: [
      ...chatRoutes(deps),
      ...searchRoutes({ ...deps, search }),
      ...orderRoutes(deps),
      ...payRoutes({
        ...deps,
        payments,
        follow: ({ chain_id }) => watch.poll(chain_id),
      }),
      ...operatorRoutes({ ...deps, refunds }),
      ...manualRoutes(deps),
    ],
    events: MARKETPLACE_EVENTS,
    effects: [payments, sweeps.effect, refunds],
    schedules: [watch.schedule, expirySchedule(deps)],
  };
}

function measure({ metrics, db }: MarketDeps): void {
  metrics.gauge(
    'archipay_marketplace_owed',
    'Payments of the marketplace that are owed to their payers, by reason',
    ['reason'],
    async () => (await countOwed(db)).map(({ reason, n }) => ({ labels: { reason }, value: n })),
  );
  metrics.gauge(
    'archipay_marketplace_lost',
    'Payments that a chain has dropped after goods were bought or money sent back for them',
    [],
    async () => [{ labels: {}, value: await countLost(db) }],
  );
}
