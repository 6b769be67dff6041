import type { Feature } from '#kernel/feature.ts';
import type { RampDeps } from './deps.ts';
import { CARDANO_EVENTS } from './events.ts';
import { rampMachines } from './machine.ts';
import { cardanoRails } from './rails.ts';
import { readRoutes } from './read-routes.ts';
import { rampRoutes } from './routes.ts';

export { hearPayout } from './payout.ts';

/** From currencies to USDC on Cardano and back (contract part 2). */
export function createCardano(deps: RampDeps): Feature {
  const machines = rampMachines(deps);
  return {
    name: 'cardano',
    events: CARDANO_EVENTS,
    routes: [...rampRoutes({ ...deps, machines }), ...readRoutes(deps)],
    machines: [machines.fromCard, machines.fromWallet],
    rails: cardanoRails(deps.cardano, deps.gateway),
  };
}
