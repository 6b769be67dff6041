import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { WebhookOutcome } from './attempt.ts';
import { put, turnTo } from './batch.ts';
import { afterFailure, afterSuccess, hasWebhookFailed } from './health.ts';
import type { Parked } from './lanes.ts';
import { withoutQuery } from './presenters.ts';
import { nextProbe, nextTry } from './schedule.ts';
import type { ServingState } from './serving-state.ts';
import { attemptOf, type Task } from './task.ts';

type Result = 'delivered' | 'failed' | 'exhausted';

/** What follows from a try: for the event, for what waits behind it, and for the endpoint. */
export function conclude(
  state: ServingState,
  task: Task,
  event: LoggedEvent,
  outcome: WebhookOutcome,
) {
  const { batch, deps, endpoint } = state;
  const result = settle(state, task, outcome);
  const { at, status, ms, error, response } = outcome;
  batch.attempts.push({
    ...attemptOf(task, event),
    endpoint_id: endpoint.endpoint_id,
    url: withoutQuery(endpoint.url),
    at: at.toISOString(),
    result,
    status,
    ms,
    error,
    response,
  });
  deps.counted(result);
  if (outcome.isDelivered) succeeded(state, outcome);
  else failed(state, task, outcome);
}

/** An event that the log has forgotten is given up without a try. */
export function forget(state: ServingState, { parked }: Task): void {
  if (parked) takeAway(state, parked, state.deps.clock.now());
}

function settle(state: ServingState, task: Task, outcome: WebhookOutcome): Result {
  if (outcome.ends !== undefined) return 'failed';
  const { parked, position } = task;
  if (outcome.isDelivered) {
    if (parked) takeAway(state, parked, outcome.at);
    else settleNew(state, task);
    return 'delivered';
  }
  // A probe asks how the endpoint is, and uses up none of the event's own tries.
  const isProbe = task.cause === 'probe' && parked !== undefined;
  const tries = task.tries + (isProbe ? 0 : 1);
  const next = isProbe ? outcome.at : nextTry(tries, outcome.at);
  if (next === undefined && parked) {
    takeAway(state, parked, outcome.at);
    return 'exhausted';
  }
  const rest = outcome.at.getTime() + outcome.restMs;
  const next_at = new Date(Math.max(next?.getTime() ?? 0, rest)).toISOString();
  const row: Parked = { position, lane: task.lane, attempt: tries, next_at };
  if (parked) state.lanes.change(row);
  else {
    state.lanes.add(row);
    settleNew(state, task);
  }
  put(state.batch, row);
  return 'failed';
}

/** It is out of the log's hands: delivered or parked. */
function settleNew(state: ServingState, { cause, position }: Task): void {
  if (cause === 'replay' || cause === 'resend') endOfChunk(state);
  else state.intake.settle(position);
}

export function endOfChunk(state: ServingState): void {
  const { chunk, batch } = state;
  if (!chunk) return;
  chunk.open -= 1;
  if (chunk.open > 0) return;
  const { replay_id, upto } = chunk.replay;
  const place = Math.min(chunk.upto, upto);
  batch.replays.set(replay_id, place);
  state.chunk = undefined;
  state.replays =
    place >= upto
      ? state.replays.filter((other) => other.replay_id !== replay_id)
      : state.replays.map((other) => (other.replay_id === replay_id ? { ...other, place } : other));
}

/** The next one of its lane may be tried at once. */
function takeAway({ lanes, batch }: ServingState, row: Parked, at: Date): void {
  batch.unparked.push(row);
  const next = lanes.remove(row);
  if (!next) return;
  const first = { ...next, next_at: at.toISOString() };
  lanes.change(first);
  put(batch, first);
}

function succeeded(state: ServingState, { at }: WebhookOutcome): void {
  const { lanes, batch, pacing } = state;
  state.health = afterSuccess(at);
  pacing.succeeded();
  if (!state.isStopped) return;
  state.isStopped = false;
  turnTo(batch, 'recovered');
  // What was to wait for hours need not: it is there again.
  for (const head of lanes.heads()) {
    const now = { ...head, next_at: at.toISOString() };
    lanes.change(now);
    put(batch, now);
  }
}

function failed(state: ServingState, { position, cause }: Task, outcome: WebhookOutcome): void {
  const { at, ends, isOverloaded, restMs } = outcome;
  const { isStopped, pacing, batch, intake } = state;
  state.health = afterFailure(state.health, { position, at, isProbe: cause === 'probe' });
  if (isOverloaded) pacing.overloaded(new Date(at.getTime() + restMs));
  if (ends !== undefined) {
    state.isClosing = true;
    turnTo(batch, ends);
  } else if (!isStopped && hasWebhookFailed(state.health, position)) {
    state.isStopped = true;
    state.health = { ...state.health, probe_at: nextProbe(0, at).toISOString() };
    intake.rewind();
    turnTo(batch, 'failing');
  }
}
