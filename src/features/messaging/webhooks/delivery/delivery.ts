import { monotonicMs } from '#kernel/clock.ts';
import type { Liveness } from '#kernel/db/liveness.ts';
import type { Notifications } from '#kernel/db/notifications.ts';
import { isDatabaseUnavailable } from '#kernel/db/sql-errors.ts';
import { type LoggedEvent, logBounds, readLog } from '#kernel/events/event-log.ts';
import type { Events } from '#kernel/events/events.ts';
import type { Ceiling } from '#kernel/quota/ceiling.ts';
import { transact } from '#kernel/transact.ts';
import { listReplays } from '../delivery-store.ts';
import { findEndpoint } from '../endpoint-store.ts';
import { skipForgotten } from '../status-store.ts';
import { createCapacity, type DeliveryCapacity } from './capacity.ts';
import { claim, type Leased, releaseWebhook, renew } from './lease-store.ts';
import { openServing } from './open-serving.ts';
import { createPacing } from './pacing.ts';
import { heldBy, isIdle, offer, step } from './serving.ts';
import type { ServingDeps, ServingState } from './serving-state.ts';

export interface WebhookSender {
  /** Begins to serve endpoints. */
  start(): Promise<void>;
  /** Begins nothing more, waits a while for deliveries in flight, and releases the leases. */
  pause(): Promise<void>;
  /** Sends all that may be sent now, and releases the leases; answers the number of endpoints. */
  drain(): Promise<number>;
}

export interface WebhookSenderDeps extends Omit<ServingDeps, 'bounds' | 'capacity'> {
  /** Of the sockets for all deliveries of this process. */
  readonly ceiling: Ceiling;
  /** Whether all clients count as approved, as in mock mode. */
  readonly approvesAll: boolean;
  readonly presence: Pick<Liveness, 'number' | 'listen'>;
  readonly events: Pick<Events, 'onGrown'>;
}

const TICK_MS = 1000;
const RENEW_MS = 5000;
/** Endpoints that one process serves at most; CLAIM_AT_ONCE leaves some to other processes. */
const SERVED_MAX = 5000;
/** Of them endpoints of unapproved clients: signing up is free. */
const STRANGERS_MAX = SERVED_MAX / 2;
const CLAIM_AT_ONCE = 100;
/** Events that one read gets for all endpoints; an endpoint that is behind reads by itself. */
const TAIL = 500;
const GRACE_MS = 3000;

interface Sending {
  readonly deps: WebhookSenderDeps;
  readonly capacity: DeliveryCapacity<ServingState>;
  readonly served: Map<string, ServingState>;
  bounds: { head: number; oldest: number };
  tail: number;
  timer: NodeJS.Timeout | undefined;
  notices: Notifications | undefined;
  forget: () => void;
  renewedAt: number;
  lookedAt: number;
  /** An endpoint of no process was made or resumed. */
  isChanged: boolean;
  busy: Promise<void> | undefined;
  isAsked: boolean;
  isPaused: boolean;
}

/** Delivers events to the endpoints that no other process serves. */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const sending: Sending = {
    deps,
    capacity: createCapacity(deps.ceiling, step),
    served: new Map(),
    bounds: { head: 0, oldest: 1 },
    tail: 0,
    timer: undefined,
    notices: undefined,
    forget: () => undefined,
    busy: undefined,
    renewedAt: 0,
    lookedAt: 0,
    isChanged: true,
    isAsked: false,
    isPaused: false,
  };
  return {
    start: () => start(sending),
    pause: () => pause(sending),
    drain: () => drain(sending),
  };
}

async function start(sending: Sending): Promise<void> {
  const { deps } = sending;
  const look = () => wake(sending);
  sending.timer = setInterval(look, TICK_MS);
  sending.forget = deps.events.onGrown(look);
  sending.notices = await deps.presence.listen({
    channel: 'webhooks',
    hear(endpoint_id) {
      const state = sending.served.get(endpoint_id);
      if (state) void reload(sending, state).catch(() => undefined);
      else {
        sending.isChanged = true;
        look();
      }
    },
    lost: look,
  });
  look();
}

/** One pass at a time; a call during a pass starts another one after it. */
function wake(sending: Sending): void {
  if (sending.isPaused) return;
  sending.isAsked = true;
  sending.busy ??= looks(sending).finally(() => {
    sending.busy = undefined;
  });
}

async function looks(sending: Sending): Promise<void> {
  while (sending.isAsked && !sending.isPaused) {
    sending.isAsked = false;
    try {
      await look(sending);
    } catch (error) {
      const { log } = sending.deps;
      if (!isDatabaseUnavailable(error))
        log.error({ err: error }, 'Looking for webhooks to send failed');
      return;
    }
  }
}

async function look(sending: Sending): Promise<void> {
  const now = monotonicMs();
  if (now - sending.renewedAt >= RENEW_MS) {
    sending.renewedAt = now;
    await renewLeases(sending);
  }
  await follow(sending);
  // New events go out at once; all else is checked each second, or when it has changed.
  if (now - sending.lookedAt < TICK_MS && !sending.isChanged) return;
  sending.lookedAt = now;
  sending.isChanged = false;
  await takeMore(sending);
  for (const state of [...sending.served.values()]) await attend(sending, state);
}

/** Reads new events once for all endpoints, and offers them to those that are not behind. */
async function follow(sending: Sending): Promise<void> {
  const { deps, served } = sending;
  sending.bounds = await logBounds(deps.db);
  if (sending.tail === 0 || served.size === 0) sending.tail = sending.bounds.head;
  while (sending.tail < sending.bounds.head) {
    const after = sending.tail;
    const { events, upto } = await readLog(deps.db, { after, limit: TAIL });
    const byClient = Map.groupBy(events, ({ client_id }) => client_id);
    sending.bounds = { ...sending.bounds, head: Math.max(sending.bounds.head, upto) };
    sending.tail = upto;
    for (const state of served.values()) offer(state, rangeOf(byClient, state, after, upto));
  }
}

function rangeOf(
  byClient: ReadonlyMap<number, LoggedEvent[]>,
  { endpoint }: ServingState,
  after: number,
  upto: number,
) {
  return { after, upto, events: byClient.get(endpoint.client_id) ?? [] };
}

async function takeMore(sending: Sending): Promise<void> {
  const { deps, served } = sending;
  const most = Math.min(CLAIM_AT_ONCE, SERVED_MAX - served.size);
  if (most <= 0) return;
  const strangers = strangersIn(served) < STRANGERS_MAX || deps.approvesAll;
  const leased = await claim(deps.db, { by: deps.presence.number, most, strangers });
  const serving = { ...deps, capacity: sending.capacity, bounds: () => sending.bounds };
  for (const one of leased) {
    const state = await openServing(await unforgotten(sending, one), serving);
    state.isApproved ||= deps.approvesAll;
    served.set(one.endpoint_id, state);
  }
}

function strangersIn(served: Sending['served']): number {
  let count = 0;
  for (const { isApproved } of served.values()) count += isApproved ? 0 : 1;
  return count;
}

/** Skips events that the log deleted before the endpoint got them, and emits that. */
async function unforgotten({ deps, bounds }: Sending, leased: Leased): Promise<Leased> {
  const place = bounds.oldest - 1;
  if (leased.place >= place) return leased;
  return transact(deps.db, async (tx) => {
    const skipped = await skipForgotten(tx, leased.lease, place);
    if (skipped) await deps.turned(tx, skipped, 'expired');
    return { ...leased, place };
  });
}

/** Renews the leases, and drops endpoints whose lease is lost. */
async function renewLeases(sending: Sending): Promise<void> {
  const { deps, served } = sending;
  if (served.size === 0) return;
  const renewed = await renew(deps.db, [...served.values()].map(heldBy));
  const known = new Map(renewed.map((row) => [row.endpoint_id, row]));
  for (const state of served.values()) {
    const row = known.get(state.endpoint.endpoint_id);
    if (row) state.isApproved = row.approved || deps.approvesAll;
    if (!row) state.isLost = true;
    else if (row.revision !== state.endpoint.revision) await reload(sending, state);
  }
}

/** Applies the changes of the endpoint's owner. */
async function reload({ deps }: Sending, state: ServingState): Promise<void> {
  const row = await findEndpoint(deps.db, {}, state.endpoint.endpoint_id);
  if (row?.lease !== state.lease) {
    state.isLost = true;
    return;
  }
  const before = state.endpoint;
  state.endpoint = row;
  if (row.status !== 'active' && row.status !== 'failing') state.isClosing = true;
  if (row.concurrency !== before.concurrency || row.rate_limit !== before.rate_limit)
    state.pacing = createPacing(row);
  if (row.types.join() !== before.types.join()) {
    state.types = deps.typesOf(row.types);
    state.buffer.rewind();
  }
  const replays = await listReplays(deps.db, row.endpoint_id);
  // For the replay in flight memory is newer than the database.
  const known = state.replays[0];
  state.replays = replays.map((one) => (one.replay_id === known?.replay_id ? known : one));
  step(state);
}

async function attend(sending: Sending, state: ServingState): Promise<void> {
  const { served, deps } = sending;
  step(state);
  const isOver = state.isLost || (state.isClosing && isIdle(state));
  if (!isOver) return;
  served.delete(state.endpoint.endpoint_id);
  if (!state.isLost) await releaseWebhook(deps.db, [heldBy(state)]);
}

async function pause(sending: Sending): Promise<void> {
  const { served, deps } = sending;
  sending.isPaused = true;
  clearInterval(sending.timer);
  sending.forget();
  const deaf = sending.notices?.close().catch(() => undefined);
  await sending.busy;
  for (const state of served.values()) state.isClosing = true;
  await Promise.race([settled(sending), grace()]);
  const held = [...served.values()].filter(({ isLost }) => !isLost);
  served.clear();
  if (held.length > 0) await releaseWebhook(deps.db, held.map(heldBy)).catch(() => undefined);
  await deaf;
}

const grace = () => new Promise<void>((over) => setTimeout(over, GRACE_MS).unref());

/** Resolves when no delivery is in flight. */
async function settled({ served }: Sending): Promise<void> {
  for (;;) {
    const underway = [...served.values()].flatMap((state) => [...state.underway]);
    if (underway.length === 0) return;
    await Promise.allSettled(underway);
  }
}

async function drain(sending: Sending): Promise<number> {
  const { served, deps } = sending;
  sending.tail = 0;
  await follow(sending);
  await takeMore(sending);
  const count = served.size;
  for (;;) {
    await follow(sending);
    for (const state of served.values()) step(state);
    if ([...served.values()].every(isIdle)) break;
    await settled(sending);
  }
  const held = [...served.values()].filter(({ isLost }) => !isLost);
  served.clear();
  if (held.length > 0) await releaseWebhook(deps.db, held.map(heldBy));
  return count;
}
