import type { Feature } from '#kernel/feature.ts';
import type { RampDeps } from './deps.ts';
import { CARDANO_EVENTS } from './events.ts';
import { rampMachines } from './machine.ts';
import { cardanoPayer } from './payout.ts';
import { cardanoRail } from './rail.ts';
import { readRoutes } from './read-routes.ts';
import { CARDANO_WORDS } from './reference.ts';
import { rampRoutes } from './routes.ts';
import { cardanoSchedules, noteTakenBack } from './taken-back.ts';

/** From currencies to USDC on Cardano and back (contract part 2). */
export function createCardano(deps: RampDeps): Feature {
  const payer = cardanoPayer(deps);
  deps.payouts.join(payer);
  const machines = rampMachines(deps);
  deps.cardano.listen(noteTakenBack);
  return {
    name: 'cardano',
    reference: CARDANO_WORDS,
    payments: [{ object: 'cardano_order', rail: 'cardano' }],
    events: CARDANO_EVENTS,
    routes: [...rampRoutes({ ...deps, machines }), ...readRoutes(deps)],
    machines: [machines.fromCard, machines.fromWallet],
    schedules: cardanoSchedules(deps.cardano),
    rails: [cardanoRail(deps.cardano), deps.payouts.rail(payer)],
  };
}
