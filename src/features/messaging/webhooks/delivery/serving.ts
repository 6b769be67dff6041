import { type LoggedEvent, readLog } from '#kernel/events/event-log.ts';
import type { ParkedDelivery } from '../delivery-store.ts';
import { listDelivered } from '../delivery-store.ts';
import { isEmpty, newBatch, put, type SealedBatch } from './batch.ts';
import { conclude, endOfChunk, forget } from './conclude.ts';
import type { HeldLease } from './lease-store.ts';
import type { ServingState } from './serving-state.ts';
import { againLane, laneOf, objectOf, type Task } from './task.ts';
import { writeBatch } from './write-batch.ts';

/** Parked events of one endpoint at most; then nothing more is read for it. */
const PARKED_MAX = 10_000;
const READ_AT_ONCE = 50;

/** Begins all work that may begin now. Called on each change, and every second. */
export function step(state: ServingState): void {
  if (state.isLost) return;
  if (!state.isClosing) {
    if (state.isStopped) probe(state);
    else {
      startRetries(state);
      startEvents(state);
      startReplays(state);
    }
    readOn(state);
  }
  write(state);
}

/** Whether no work is in flight. */
export const isIdle = ({ underway }: ServingState): boolean => underway.size === 0;

function track(state: ServingState, work: Promise<unknown>): void {
  const done = work
    .catch((error: unknown) => {
      const { endpoint_id } = state.endpoint;
      state.deps.log.warn({ err: error, endpoint_id }, 'Serving a webhook endpoint has to wait');
    })
    .finally(() => state.underway.delete(done));
  state.underway.add(done);
}

const hasSlot = ({ inFlight, pacing }: ServingState): boolean => inFlight.size < pacing.limit;

/** Releases the socket of a delivery. */
type Leave = () => void;

/** Takes a socket and a request of the second's limit; undefined where the delivery has to wait. */
function mayStart(state: ServingState): Leave | undefined {
  const { pacing, deps } = state;
  const now = deps.clock.now();
  if (!hasSlot(state) || pacing.isResting(now)) return undefined;
  const leave = deps.capacity.take(state);
  if (!leave || pacing.take(now)) return leave;
  leave();
  return undefined;
}

function probe(state: ServingState): void {
  const { health, inFlight, queues, buffer, deps } = state;
  if (inFlight.size > 0 || (health.probe_at ?? '') > deps.clock.now().toISOString()) return;
  const parked = queues.oldest();
  const [event] = buffer.waiting;
  const leave = parked || event ? deps.capacity.take(state) : undefined;
  if (!leave) return;
  if (parked) start(state, { ...taskOf(parked), cause: 'probe' }, leave);
  else if (event) startEvent(state, { event, cause: 'probe' }, leave);
}

const taskOf = (parked: ParkedDelivery): Task => {
  const { position, lane, attempt: tries } = parked;
  return { position, lane, tries, cause: 'retry', parked };
};

function startRetries(state: ServingState): void {
  for (const parked of state.queues.due(state.deps.clock.now())) {
    if (state.busy.has(objectOf(parked.lane))) continue;
    const leave = mayStart(state);
    if (!leave) return;
    start(state, taskOf(parked), leave);
  }
}

function startEvents(state: ServingState): void {
  const { buffer, queues, busy, endpoint } = state;
  const isStrict = endpoint.ordering === 'strict';
  if (queues.size >= PARKED_MAX) return;
  for (const event of [...buffer.waiting]) {
    const lane = laneOf(event, endpoint);
    if (busy.has(lane)) continue;
    if (queues.holds(lane) && isStrict) return;
    if (queues.holds(lane)) {
      parkBehind(state, event, lane);
      continue;
    }
    const leave = mayStart(state);
    if (!leave) return;
    startEvent(state, { event, cause: 'event' }, leave);
  }
}

function parkBehind({ buffer, queues, batch }: ServingState, event: LoggedEvent, lane: string) {
  const row: ParkedDelivery = { position: event.position, lane, attempt: 0, next_at: null };
  buffer.begin(event);
  queues.add(row);
  put(batch, row);
  buffer.settle(event.position);
}

interface StartedEvent {
  readonly event: LoggedEvent;
  readonly cause: 'event' | 'probe';
}

function startEvent(state: ServingState, { event, cause }: StartedEvent, leave: Leave): void {
  const { position } = event;
  state.buffer.begin(event);
  start(state, { position, lane: laneOf(event, state.endpoint), tries: 0, cause, event }, leave);
}

/** At half the concurrency, so that new events come first. */
function startReplays(state: ServingState): void {
  const { chunk, replays, busy, inFlight, pacing, queues } = state;
  const [replay] = replays;
  if (!chunk && replay && !state.isReading) track(state, readChunk(state));
  if (!chunk) return;
  for (const event of [...chunk.waiting]) {
    const object = laneOf(event, state.endpoint);
    if (busy.has(object)) continue;
    const lane = againLane(object);
    const { position } = event;
    const isBehind = queues.holds(lane);
    const hasRoom = !isBehind && inFlight.size * 2 < pacing.limit + 1;
    const leave = hasRoom ? mayStart(state) : undefined;
    if (!isBehind && !leave) return;
    chunk.waiting.splice(chunk.waiting.indexOf(event), 1);
    if (!leave) {
      const row = { position, lane, attempt: 0, next_at: null };
      queues.add(row);
      put(state.batch, row);
      endOfChunk(state);
    } else start(state, { position, lane, tries: 0, cause: chunk.replay.cause, event }, leave);
  }
}

async function readChunk(state: ServingState): Promise<void> {
  const { deps, endpoint, replays, pacing } = state;
  const [replay] = replays;
  if (!replay) return;
  state.isReading = true;
  try {
    const limit = Math.ceil(pacing.limit / 2);
    const types = deps.typesOf(replay.types);
    const { client_id, endpoint_id } = endpoint;
    const found = await readLog(deps.db, { after: replay.place, limit, client_id, types });
    const inside = found.events.filter(({ position }) => position <= replay.upto);
    const ids = inside.map(({ position }) => position);
    const delivered = replay.only_failed
      ? await listDelivered(deps.db, endpoint_id, ids)
      : new Set<number>();
    // Parked events are delivered anyway.
    const waiting = inside.filter(
      (event) =>
        !delivered.has(event.position) &&
        !state.queues.has(event.position, laneOf(event, endpoint)),
    );
    state.chunk = { replay, upto: found.upto, waiting, open: Math.max(1, waiting.length) };
    if (waiting.length === 0) endOfChunk(state);
  } finally {
    state.isReading = false;
  }
  step(state);
}

function start(state: ServingState, task: Task, leave: Leave): void {
  state.inFlight.add(task);
  state.busy.add(objectOf(task.lane));
  track(state, run(state, task).finally(leave));
}

async function run(state: ServingState, task: Task): Promise<void> {
  const { deps, endpoint } = state;
  const event = task.event ?? (await eventAt(state, task));
  if (event === undefined) forget(state, task);
  else {
    const keepAlive = deps.capacity.keepsSockets(state);
    const outcome = await deps.send(endpoint, event, { attempt: task.tries + 1, keepAlive });
    conclude(state, task, event, outcome);
  }
  state.batch.tasks.push(task);
  step(state);
}

function free({ inFlight, busy }: ServingState, task: Task): void {
  inFlight.delete(task);
  busy.delete(objectOf(task.lane));
}

/** A parked event, from the log; undefined where the log no longer has it. */
async function eventAt(state: ServingState, task: Task): Promise<LoggedEvent | undefined> {
  const { deps, endpoint } = state;
  const { client_id } = endpoint;
  try {
    const { events } = await readLog(deps.db, { after: task.position - 1, limit: 1, client_id });
    return events.find(({ position }) => position === task.position);
  } catch (error) {
    // No attempt was made, and the event is still parked.
    free(state, task);
    throw error;
  }
}

function readOn(state: ServingState): void {
  const { buffer, deps, isReading } = state;
  if (isReading || !buffer.hasRoom || buffer.cursor >= deps.bounds().head) return;
  // A failing endpoint needs only the next event, for a probe.
  if (state.isStopped && (state.queues.size > 0 || buffer.waiting.length > 0)) return;
  track(state, read(state));
}

async function read(state: ServingState): Promise<void> {
  const { buffer, deps, endpoint, types } = state;
  const { client_id } = endpoint;
  state.isReading = true;
  try {
    const after = buffer.cursor;
    const found = await readLog(deps.db, { after, limit: READ_AT_ONCE, client_id, types });
    // Meanwhile the buffer may have been rewound, or the types changed.
    if (buffer.cursor === after && state.types === types) buffer.add(found.events, found.upto);
  } finally {
    state.isReading = false;
  }
  step(state);
}

/** Takes events that were read for all endpoints, where this endpoint is at the end of the log. */
export function offer(
  state: ServingState,
  stretch: {
    readonly after: number;
    readonly upto: number;
    readonly events: readonly LoggedEvent[];
  },
): void {
  const { buffer, types, isStopped, isReading, isClosing } = state;
  // An endpoint that is not at the end of the log reads by itself.
  if (buffer.cursor !== stretch.after && !isStopped) step(state);
  if (buffer.cursor !== stretch.after || !buffer.hasRoom || isStopped || isReading || isClosing)
    return;
  const wanted = stretch.events.filter(({ type }) => types === undefined || types.includes(type));
  buffer.add(wanted, stretch.upto);
  if (wanted.length > 0) step(state);
}

/** Writes results, one batch at a time; a batch that failed is written again unchanged. */
function write(state: ServingState): void {
  if (state.isWriting) return;
  if (state.writing === undefined) {
    if (isEmpty(state.batch)) return;
    // Results that come meanwhile, and the place then, belong to the next batch.
    state.writing = { ...state.batch, place: state.buffer.place, health: state.health };
    state.batch = newBatch();
  }
  track(state, writeSealed(state, state.writing));
}

async function writeSealed(state: ServingState, batch: SealedBatch): Promise<void> {
  state.isWriting = true;
  try {
    const isOurs = await writeBatch(state, batch);
    state.writing = undefined;
    state.isLost ||= !isOurs;
    for (const task of batch.tasks) free(state, task);
  } finally {
    state.isWriting = false;
  }
  step(state);
}

/** The lease with the endpoint's place: 0 while a batch is still to be written. */
export const heldBy = (state: ServingState): HeldLease => ({
  endpoint_id: state.endpoint.endpoint_id,
  lease: state.lease,
  place: isEmpty(state.batch) && !state.writing ? state.buffer.place : 0,
});
