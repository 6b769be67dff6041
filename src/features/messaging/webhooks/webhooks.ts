import type { Messages } from '#features/messaging/messages/messages.ts';
import type { FreshProof } from '#kernel/access/fresh-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import { providePartitions } from '#kernel/db/partition-store.ts';
import type { Catalogue } from '#kernel/events/catalogue.ts';
import { emit } from '#kernel/events/emit.ts';
import { eventIdOf } from '#kernel/events/event-id.ts';
import { logBounds } from '#kernel/events/event-log.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { createOutbound } from '#kernel/outbound/outbound.ts';
import { attempt } from './attempt.ts';
import { bodyOf, notificationOf } from './body.ts';
import { createWebhookSender, type WebhookSenderDeps } from './delivery/delivery.ts';
import { deliveryRoutes } from './delivery-routes.ts';

import type { RouteDeps } from './endpoint-route.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import { disabled, eventsExpired, failingNow, recovered, webhookEvents } from './event-types.ts';
import { endpointStats } from './log-store.ts';
import { mailOwners } from './owner-mails.ts';
import { endpointInEvents } from './presenters.ts';
import { WEBHOOKS_WORDS } from './reference.ts';
import { endpointRoutes } from './routes.ts';
import { runningRoutes } from './running-routes.ts';
import { secretRoutes } from './secret-routes.ts';
import { webhookRules } from './settings.ts';
import type { EndpointTurn } from './status-store.ts';
import { watchSchedules } from './watch.ts';

export { SEALED_ENDPOINTS, withoutQuery } from './presenters.ts';
export { checkUrl, webhookRules } from './settings.ts';
export { newSecret, rotated, type Secret, signed } from './signature.ts';
export { endpointsOf, pauseEndpointsOf, takeOverEndpointsOf } from './user-endpoints.ts';

type WebhookDeps = Pick<
  Kernel,
  'db' | 'clock' | 'config' | 'log' | 'vault' | 'metrics' | 'events' | 'presence' | 'shares'
> & {
  readonly messages: Messages;
  readonly freshProof: FreshProof;
  catalogue(): Catalogue;
};

/** Sends events to the addresses that clients name. */
export function createWebhooks(deps: WebhookDeps): Feature {
  const { config, vault, clock, catalogue, shares } = deps;
  const ceiling = shares.ceilings.deliveries;
  // All endpoints of a client may have one origin.
  const outbound = createOutbound({ ...webhookRules(config), connections: ceiling.total });
  const live = config.NODE_ENV === 'production';
  const routeDeps: RouteDeps = { clock, vault, outbound, live, catalogue, shares };
  const counts = { delivered: 0, failed: 0, exhausted: 0 };
  const sender = createWebhookSender({
    ...deps,
    ceiling,
    approvesAll: config.MOCK_MODE,
    typesOf: (filters) => typesOf(catalogue(), filters),
    turned: (tx, endpoint, turn) => turned(deps, tx, { endpoint, turn }),
    provide: providing(deps),
    send: (endpoint, event, { keepAlive, attempt: tries }) => {
      const id = eventIdOf(event.event_id);
      const sent = { id, body: bodyOf(event, endpoint, routeDeps), attempt: tries };
      return attempt(outbound, { ...notificationOf(deps, endpoint, sent), keepAlive }, clock.now());
    },
    counted(result) {
      counts[result] += 1;
    },
  });
  measure(deps, counts);
  return {
    name: 'webhooks',
    reference: WEBHOOKS_WORDS,
    routes: [
      ...endpointRoutes(routeDeps),
      ...secretRoutes({ ...routeDeps, freshProof: deps.freshProof }),
      ...deliveryRoutes(routeDeps),
      ...runningRoutes(routeDeps),
    ],
    schedules: watchSchedules(deps),
    events: webhookEvents,
    runners: [
      {
        name: 'webhooks',
        ...sender,
        async pause() {
          await sender.pause();
          await outbound.close();
        },
      },
    ],
  };
}

/** The names of types that match the filters; undefined for all. */
function typesOf(catalogue: Catalogue, filters: readonly string[]): readonly string[] | undefined {
  if (filters.includes('*')) return undefined;
  return [...new Set(filters.flatMap((filter) => catalogue.match(filter)))];
}

interface TurnedEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly turn: EndpointTurn;
}

async function turned(
  { vault, messages }: Pick<WebhookDeps, 'vault' | 'messages'>,
  tx: Db,
  { endpoint, turn }: TurnedEndpoint,
): Promise<void> {
  const { client_id, endpoint_id: id } = endpoint;
  const data = endpointInEvents(endpoint, vault);
  emit(tx, EVENT_OF[turn], { client_id, id, data });
  if (turn === 'gone' || turn === 'not_public') await mailOwners(tx, messages, endpoint, turn);
}

const EVENT_OF = {
  failing: failingNow,
  recovered,
  expired: eventsExpired,
  gone: disabled,
  not_public: disabled,
};

/** Makes the partitions for a day's attempts once, and for those of the day after. */
function providing({ db }: Pick<WebhookDeps, 'db'>): WebhookSenderDeps['provide'] {
  const days = new Map<string, Promise<void>>();
  return (at) => {
    const day = at.toISOString().slice(0, 10);
    const known = days.get(day);
    if (known) return known;
    const made = providePartitions(db, 'webhooks.attempts', at).then(
      () => undefined,
      (error: unknown) => {
        days.delete(day);
        throw error;
      },
    );
    days.set(day, made);
    return made;
  };
}

function measure({ metrics, db }: WebhookDeps, counts: Readonly<Record<string, number>>): void {
  const stats = async () => endpointStats(db, (await logBounds(db)).head);
  metrics.gauge('archipay_webhook_endpoints', 'Webhook endpoints', ['status'], async () =>
    (await stats()).map(({ status, n }) => ({ labels: { status }, value: n })),
  );
  metrics.gauge(
    'archipay_webhook_lag_events',
    'Events that the endpoint furthest behind has before it, of all clients',
    ['status'],
    async () =>
      (await stats()).map(({ status, behind }) => ({ labels: { status }, value: behind })),
  );
  metrics.gauge('archipay_webhook_attempts', 'Tries of this process so far', ['result'], async () =>
    Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  );
}
