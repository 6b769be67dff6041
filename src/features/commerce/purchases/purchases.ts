import { isChainKey } from '#chains/evm/port.ts';
import type { Feature } from '#kernel/feature.ts';
import type { PurchaseDeps } from './deps.ts';
import { PURCHASE_EVENTS, PURCHASE_PAYMENTS } from './events.ts';
import { purchaseMachine } from './machine.ts';
import { purchaseOrderRoutes } from './order-routes.ts';
import { PURCHASES_PERSON_DATA } from './person-data.ts';
import { PURCHASES_WORDS } from './reference.ts';
import { purchaseSchedules } from './schedules.ts';
import { stepRoutes } from './step-routes.ts';

export { withoutPurchases } from './own-payments.ts';

/** Buying in web shops with USDC (contract part 2: AI purchase flow). */
export function createPurchases(deps: PurchaseDeps): Feature {
  const home = deps.config.PURCHASE_CHAIN;
  if (!isChainKey(home)) throw new Error(`PURCHASE_CHAIN is ${home}, and there is no such chain`);
  const machine = purchaseMachine(deps);
  return {
    name: 'purchases',
    personData: PURCHASES_PERSON_DATA,
    reference: PURCHASES_WORDS,
    payments: [{ object: 'purchase', rail: 'purchase', source: PURCHASE_PAYMENTS }],
    routes: [...stepRoutes(deps), ...purchaseOrderRoutes({ ...deps, machine, home })],
    events: PURCHASE_EVENTS,
    machines: [machine],
    schedules: purchaseSchedules(deps),
  };
}
