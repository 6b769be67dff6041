import type { Feature } from '#kernel/feature.ts';
import { byHandRoutes } from './by-hand-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import type { MarketDeps } from './deps.ts';
import { MARKETPLACE_EVENTS } from './events.ts';
import { expirySchedule } from './expiry.ts';
import { paymentFollower } from './follow.ts';
import { operatorRoutes } from './operator-routes.ts';
import { orderRoutes } from './order-routes.ts';
import { createPayEffect } from './pay.ts';
import { payRoutes } from './pay-routes.ts';
import { MARKETPLACE_WORDS } from './reference.ts';
import { createRefundEffect } from './refund.ts';
import { countLost, countOwed } from './refund-store.ts';
import { createSearch } from './search.ts';
import { searchRoutes } from './search-routes.ts';
import { createSweeps } from './sweep.ts';
import { createWatch } from './watch.ts';

/** Goods of two marketplaces, found by talking, and ordered for USDC (contract part 2, Marketplace). */
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
    reference: MARKETPLACE_WORDS,
    payments: [
      { object: 'marketplace_order', rail: 'marketplace' },
      { object: 'marketplace_payment', rail: 'marketplace' },
    ],
    routes: [
      ...chatRoutes(deps),
      ...searchRoutes({ ...deps, search }),
      ...orderRoutes(deps),
      ...payRoutes({
        ...deps,
        payments,
        follow: ({ chain_id }) => watch.look(chain_id),
      }),
      ...operatorRoutes({ ...deps, refunds }),
      ...byHandRoutes(deps),
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
