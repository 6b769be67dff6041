import type { Ceiling } from '#kernel/quota/ceiling.ts';
import type { WebhookEndpoint } from '../endpoint-store.ts';

/** An endpoint whose deliveries take sockets. */
interface Served {
  readonly endpoint: Pick<WebhookEndpoint, 'endpoint_id' | 'client_id'>;
  readonly isApproved: boolean;
}

/** Sockets for deliveries, of which each client has a share. */
export interface DeliveryCapacity<State extends Served> {
  /**
   * A socket for one delivery; the answer releases it. Undefined where the client's share or the total is used up:
   * `goOn` runs for the endpoint once a socket is free.
   */
  take(state: State): (() => void) | undefined;
  /** Whether a delivery may keep its socket for the next one; not for unapproved clients, nor when half are taken. */
  keepsSockets(state: State): boolean;
}

/** Endpoints that one free socket wakes: those whose client has no share left go to the end. */
const WOKEN = 8;

export function createCapacity<State extends Served>(
  ceiling: Ceiling,
  goOn: (state: State) => void,
): DeliveryCapacity<State> {
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
