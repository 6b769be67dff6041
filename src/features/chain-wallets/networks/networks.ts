import type { Chain } from '#chains/port.ts';
import type { Feature, PaymentObject } from '#kernel/feature.ts';
import type { NetworksDeps } from './deps.ts';
import { createGiftEffect } from './faucet.ts';
import { faucetRoutes } from './faucet-routes.ts';
import { observedNetworks } from './network.ts';
import { NETWORKS_PERSON_DATA } from './person-data.ts';
import { NETWORKS_WORDS } from './reference.ts';
import { networkRoutes } from './routes.ts';
import { NETWORK_EVENTS, networkSchedule } from './watch.ts';

export { testMintQuota } from './test-mint-quota.ts';

interface Given extends Omit<NetworksDeps, 'networks' | 'sources'> {
  readonly chains: readonly Chain[];
  /** The objects that move money, of all features. */
  payments(): readonly PaymentObject[];
}

/** The networks as people read them, and test coins. */
export function createNetworks({ chains, payments, ...rest }: Given): Feature {
  const sources = () => [
    ...new Map(payments().map(({ source }) => [source.view, source])).values(),
  ];
  const deps: NetworksDeps = { ...rest, networks: observedNetworks(chains), sources };
  const gifts = createGiftEffect(deps);
  return {
    name: 'networks',
    personData: NETWORKS_PERSON_DATA,
    reference: NETWORKS_WORDS,
    routes: [...networkRoutes(deps), ...faucetRoutes({ ...deps, gifts })],
    effects: [gifts],
    events: [...NETWORK_EVENTS],
    schedules: [networkSchedule(deps)],
  };
}
