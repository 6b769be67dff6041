import type { Ceiling } from '#kernel/quota/ceiling.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';

/** What is known of an endpoint whose deliveries take places. */
interface Served {
  readonly endpoint: Pick<WebhookEndpoint, 'endpoint_id' | 'client_id'>;
  readonly isApproved: boolean;
}

/** Sockets for deliveries, of which each client has a share. */
export interface DeliveryRoom<State extends Served> {
  /**
   * A place for one delivery; what is answered gives it back. Nothing where the share of the endpoint's client or the
   * whole is used up: the endpoint is gone on with once there is room.
   */
  take(state: State): (() => void) | undefined;
  /** Whether a delivery may keep its socket for the next one: those of strangers, and many of others, are closed. */
  keepsSockets(state: State): boolean;
}

/** Endpoints that get their turn for one place: those whose client has no share left go to the end. */
const WOKEN = 8;

export function createRoom<State extends Served>(
  ceiling: Ceiling,
  goOn: (state: State) => void,
): DeliveryRoom<State> {
  const waiting = new Set<State>();
  const wake = () => {
    for (const state of [...waiting.values().take(WOKEN)]) {
      waiting.delete(state);
      goOn(state);
    }
  };
  return {
    take(state) {
      const { endpoint, isApproved } = state;
      const client = `client:${endpoint.client_id}`;
      const taken = ceiling.take({ one: endpoint.endpoint_id, client, isApproved });
      if (typeof taken !== 'function') {
        waiting.add(state);
        return undefined;
      }
      return () => {
        taken();
        wake();
      };
    },
    keepsSockets: ({ isApproved }) => isApproved && ceiling.held() * 2 <= ceiling.total,
  };
}
