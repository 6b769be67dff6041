import type { Provider } from '../provider.ts';
import { cardNetwork, cardSettings } from './adapter.ts';
import { offlineNetwork } from './offline.ts';
import type { CardNetwork } from './port.ts';

export const cardNetworkProvider: Provider<'card-network', CardNetwork> = {
  needs: { 'card-network': ['CARD_NETWORK_URL', 'CARD_NETWORK_USER', 'CARD_NETWORK_PASSWORD'] },
  open: ({ kernel: { config }, at }) =>
    cardNetwork(cardSettings(config, at(config.CARD_NETWORK_URL, '/card-network'))),
  offline: ({ kernel: { config, clock } }) =>
    config.MOCK_MODE ? offlineNetwork(clock) : undefined,
  calls: { acts: ['validate', 'pull', 'push', 'reverse'] },
};
