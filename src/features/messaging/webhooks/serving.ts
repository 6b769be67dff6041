import { type LoggedEvent, readLog } from '#kernel/events/event-log.ts';
import { isEmpty, newBatch, put, type Written } from './batch.ts';
import { conclude, endOfChunk, forget } from './conclude.ts';
import { listDelivered } from './delivery-store.ts';
import type { Parked } from './lanes.ts';
import type { HeldLease } from './lease-store.ts';
import type { ServingState } from './serving-state.ts';
import { againLane, laneOf, objectOf, type Task } from './task.ts';
import { writeBatch } from './write-batch.ts';

/** So many events may wait for another try, before nothing more is read for the endpoint. */
const PARKED_MAX = 10_000;
const READ_AT_ONCE = 50;

/** Begins whatever may be begun now. Called whenever something has changed, and now and then. */
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

/** Whether all is done that may be done now. */
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

/** Gives back the place of a delivery. */
type Leave = () => void;

/** Takes what one more request costs; nothing where it has to wait. */
function mayStart(state: ServingState): Leave | undefined {
  const { pacing, deps } = state;
  const now = deps.clock.now();
  if (!hasSlot(state) || pacing.isResting(now)) return undefined;
  const leave = deps.room.take(state);
  if (!leave || pacing.take(now)) return leave;
  leave();
  return undefined;
}

function probe(state: ServingState): void {
  const { health, inFlight, lanes, intake, deps } = state;
  if (inFlight.size > 0 || (health.probe_at ?? '') > deps.clock.now().toISOString()) return;
  const parked = lanes.oldest();
  const [event] = intake.waiting;
  const leave = parked || event ? deps.room.take(state) : undefined;
  if (!leave) return;
  if (parked) start(state, { ...taskOf(parked), cause: 'probe' }, leave);
  else if (event) startEvent(state, { event, cause: 'probe' }, leave);
}

const taskOf = (parked: Parked): Task => {
  const { position, lane, attempt: tries } = parked;
  return { position, lane, tries, cause: 'retry', parked };
};

function startRetries(state: ServingState): void {
  for (const parked of state.lanes.due(state.deps.clock.now())) {
    if (state.busy.has(objectOf(parked.lane))) continue;
    const leave = mayStart(state);
    if (!leave) return;
    start(state, taskOf(parked), leave);
  }
}

function startEvents(state: ServingState): void {
  const { intake, lanes, busy, endpoint } = state;
  const isStrict = endpoint.ordering === 'strict';
  if (lanes.size >= PARKED_MAX) return;
  for (const event of [...intake.waiting]) {
    const lane = laneOf(event, endpoint);
    if (busy.has(lane)) continue;
    if (lanes.holds(lane) && isStrict) return;
    if (lanes.holds(lane)) {
      parkBehind(state, event, lane);
      continue;
    }
    const leave = mayStart(state);
    if (!leave) return;
    startEvent(state, { event, cause: 'event' }, leave);
  }
}

function parkBehind({ intake, lanes, batch }: ServingState, event: LoggedEvent, lane: string) {
  const row: Parked = { position: event.position, lane, attempt: 0, next_at: null };
  intake.begin(event);
  lanes.add(row);
  put(batch, row);
  intake.settle(event.position);
}

interface Begun {
  readonly event: LoggedEvent;
  readonly cause: 'event' | 'probe';
}

function startEvent(state: ServingState, { event, cause }: Begun, leave: Leave): void {
  const { position } = event;
  state.intake.begin(event);
  start(state, { position, lane: laneOf(event, state.endpoint), tries: 0, cause, event }, leave);
}

/** At half the concurrency, so that what happens now comes first. */
function startReplays(state: ServingState): void {
  const { chunk, replays, busy, inFlight, pacing, lanes } = state;
  const [replay] = replays;
  if (!chunk && replay && !state.isReading) track(state, readChunk(state));
  if (!chunk) return;
  for (const event of [...chunk.waiting]) {
    const object = laneOf(event, state.endpoint);
    if (busy.has(object)) continue;
    const lane = againLane(object);
    const { position } = event;
    const isBehind = lanes.holds(lane);
    const hasRoom = !isBehind && inFlight.size * 2 < pacing.limit + 1;
    const leave = hasRoom ? mayStart(state) : undefined;
    if (!isBehind && !leave) return;
    chunk.waiting.splice(chunk.waiting.indexOf(event), 1);
    if (!leave) {
      const row = { position, lane, attempt: 0, next_at: null };
      lanes.add(row);
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
    // What is parked comes by itself.
    const waiting = inside.filter(
      (event) =>
        !delivered.has(event.position) && !state.lanes.has(event.position, laneOf(event, endpoint)),
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
    const keepAlive = deps.room.keepsSockets(state);
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

/** What was parked, from the log; nothing where that has forgotten it. */
async function eventAt(state: ServingState, task: Task): Promise<LoggedEvent | undefined> {
  const { deps, endpoint } = state;
  const { client_id } = endpoint;
  try {
    const { events } = await readLog(deps.db, { after: task.position - 1, limit: 1, client_id });
    return events.find(({ position }) => position === task.position);
  } catch (error) {
    // It was not tried, and is still where it was.
    free(state, task);
    throw error;
  }
}

function readOn(state: ServingState): void {
  const { intake, deps, isReading } = state;
  if (isReading || !intake.hasRoom || intake.cursor >= deps.bounds().head) return;
  // Of what fails only the next one is wanted, for a probe.
  if (state.isStopped && (state.lanes.size > 0 || intake.waiting.length > 0)) return;
  track(state, read(state));
}

async function read(state: ServingState): Promise<void> {
  const { intake, deps, endpoint, types } = state;
  const { client_id } = endpoint;
  state.isReading = true;
  try {
    const after = intake.cursor;
    const found = await readLog(deps.db, { after, limit: READ_AT_ONCE, client_id, types });
    // It may have been rewound meanwhile, or asked for other types.
    if (intake.cursor === after && state.types === types) intake.add(found.events, found.upto);
  } finally {
    state.isReading = false;
  }
  step(state);
}

/** Takes what was read for all, where this endpoint is at the end of the log as well. */
export function offer(
  state: ServingState,
  stretch: {
    readonly after: number;
    readonly upto: number;
    readonly events: readonly LoggedEvent[];
  },
): void {
  const { intake, types, isStopped, isReading, isClosing } = state;
  // Who is not at the end of the log reads by itself.
  if (intake.cursor !== stretch.after && !isStopped) step(state);
  if (intake.cursor !== stretch.after || !intake.hasRoom || isStopped || isReading || isClosing)
    return;
  const wanted = stretch.events.filter(({ type }) => types === undefined || types.includes(type));
  intake.add(wanted, stretch.upto);
  if (wanted.length > 0) step(state);
}

/** Writes down what has come of tries, one batch at a time; again and the same where it could not. */
function write(state: ServingState): void {
  if (state.isWriting) return;
  if (state.writing === undefined) {
    if (isEmpty(state.batch)) return;
    // What comes of other tries meanwhile is the next batch's, and so is how far it has got.
    state.writing = { ...state.batch, place: state.intake.place, health: state.health };
    state.batch = newBatch();
  }
  track(state, writeDown(state, state.writing));
}

async function writeDown(state: ServingState, batch: Written): Promise<void> {
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

/** What may be said of the place in passing: nothing while something is still to be written down. */
export const heldBy = (state: ServingState): HeldLease => ({
  endpoint_id: state.endpoint.endpoint_id,
  lease: state.lease,
  place: isEmpty(state.batch) && !state.writing ? state.intake.place : 0,
});
