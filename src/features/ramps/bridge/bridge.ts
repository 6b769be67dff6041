import { createQuoteSigner } from '#features/fiat/fx/fx.ts';
import type { Feature } from '#kernel/feature.ts';
import type { BridgeDeps, BridgeGiven, BridgePorts } from './deps.ts';
import { advanceEffect, attestEffect, sendEffect } from './effects.ts';
import { BRIDGE_EVENTS, BRIDGE_PAYMENTS } from './events.ts';
import { mintEffect } from './mint.ts';
import { attemptId, legListener } from './moves.ts';
import { bridgeOfferRoutes } from './offer-routes.ts';
import { BRIDGE_PERSON_DATA } from './person-data.ts';
import { bridgePlaces, chainWords } from './places.ts';
import { bridgeWords } from './reference.ts';
import { bridgeTransferRoutes } from './routes.ts';
import { measureBridge, stallSchedule } from './stall.ts';
import { replaceStepHash } from './store.ts';
import { takeEffect } from './take.ts';

/**
 * One call moves USDC to a person on another chain, and is followed to its end. What was burnt is owed until it has
 * arrived; nothing is minted back.
 */
export function createBridge(given: BridgeGiven): Feature {
  const deps = depsOf(given);
  given.legs.listen(legListener(deps));
  for (const { chain, listen } of given.ledgers)
    listen?.((tx, news) => replaceStepHash(tx, { ...news, chain }));
  measureBridge(given);
  return {
    name: 'bridge',
    personData: BRIDGE_PERSON_DATA,
    reference: bridgeWords(chainWords(given.ledgers)),
    payments: [{ object: 'bridge_transfer', rail: 'bridge', source: BRIDGE_PAYMENTS }],
    routes: [...bridgeOfferRoutes(deps), ...bridgeTransferRoutes(deps)],
    effects: [deps.attests, deps.takes, deps.mints, deps.sends, deps.advances],
    schedules: [stallSchedule(deps)],
    events: BRIDGE_EVENTS,
  };
}

/** Each step begins the next one. */
export function depsOf(given: BridgeGiven): BridgeDeps {
  const { ledgers, config, effects, vault } = given;
  const places = bridgePlaces(ledgers, config.EVM_CONFIRMATIONS);
  const base: BridgePorts = { ...given, places };
  const sends = sendEffect(base);
  const mints = mintEffect({
    ...base,
    sends: (tx, { object_id, send_attempt }) =>
      effects.begin(tx, sends, attemptId(object_id, send_attempt), { left: {} }),
  });
  const takes = takeEffect({
    ...base,
    mints: (tx, { object_id, mint_attempt }) =>
      effects.begin(tx, mints, attemptId(object_id, mint_attempt), { left: {} }),
  });
  return {
    ...base,
    takes,
    mints,
    sends,
    attests: attestEffect(base),
    advances: advanceEffect(base),
    signer: createQuoteSigner(vault),
  };
}
