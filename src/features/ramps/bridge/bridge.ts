import { createQuoteSigner } from '#features/fiat/fx/fx.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { BridgePorts } from './deps.ts';
import { advanceEffect, attestEffect, sendEffect } from './effects.ts';
import { BRIDGE_EVENTS, BRIDGE_PAYMENTS } from './events.ts';
import { legListener } from './moves.ts';
import { bridgeOfferRoutes } from './offer-routes.ts';
import { BRIDGE_PERSON_DATA } from './person-data.ts';
import { BRIDGE_WORDS } from './reference.ts';
import { bridgeTransferRoutes } from './routes.ts';
import { measureBridge, stallSchedule } from './stall.ts';

/**
 * One call moves USDC to a person on another chain, and is followed to its end. What was burnt is owed until it has
 * arrived; nothing is minted back.
 */
export function createBridge(given: BridgePorts & Pick<Kernel, 'vault'>): Feature {
  const deps = {
    ...given,
    attests: attestEffect(given),
    sends: sendEffect(given),
    advances: advanceEffect(given),
    signer: createQuoteSigner(given.vault),
  };
  given.legs.listen(legListener(deps));
  measureBridge(given);
  return {
    name: 'bridge',
    personData: BRIDGE_PERSON_DATA,
    reference: BRIDGE_WORDS,
    payments: [{ object: 'bridge_transfer', rail: 'bridge', source: BRIDGE_PAYMENTS }],
    routes: [...bridgeOfferRoutes(deps), ...bridgeTransferRoutes(deps)],
    effects: [deps.attests, deps.sends, deps.advances],
    schedules: [stallSchedule(deps)],
    events: BRIDGE_EVENTS,
  };
}
