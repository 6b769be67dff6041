import type { Feature } from '#kernel/feature.ts';
import type { RampDeps } from './deps.ts';
import { CARDANO_EVENTS, CARDANO_PAYMENTS } from './events.ts';
import { CARDANO_HOLDS } from './holds-store.ts';
import { rampMachines } from './machine.ts';
import { cardanoBankFlow } from './payout.ts';
import { CARDANO_PERSON_DATA } from './person-data.ts';
import { cardanoRail } from './rail.ts';
import { readRoutes } from './read-routes.ts';
import { CARDANO_WORDS } from './reference.ts';
import { cardanoSchedules, recordRollback } from './rolled-back.ts';
import { rampRoutes } from './routes.ts';

export { cardanoFarLedger } from './far-ledger.ts';
export { CARDANO_HOLDS } from './holds-store.ts';

/** From currencies to USDC on Cardano and back (contract part 2). */
export function createCardano(deps: RampDeps): Feature {
  const bank = cardanoBankFlow(deps.sagas);
  deps.payouts.join(bank.payer);
  const machines = rampMachines(deps, bank);
  deps.cardano.listen(recordRollback);
  return {
    name: 'cardano',
    personData: CARDANO_PERSON_DATA,
    reference: CARDANO_WORDS,
    payments: [{ object: 'cardano_order', rail: 'cardano', source: CARDANO_PAYMENTS }],
    events: CARDANO_EVENTS,
    holds: CARDANO_HOLDS,
    routes: [...rampRoutes({ ...deps, machines }), ...readRoutes(deps)],
    machines: [machines.fromCard, machines.fromWallet],
    schedules: cardanoSchedules(deps.cardano),
    rails: [cardanoRail(deps.cardano), deps.payouts.rail(bank.payer)],
  };
}
