import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { WebhookOutcome } from '../attempt.ts';
import type { ParkedDelivery } from '../delivery-store.ts';
import { withoutQuery } from '../presenters.ts';
import { nextProbe, nextTry } from '../schedule.ts';
import { put, turnTo } from './batch.ts';
import { afterFailure, afterSuccess, hasWebhookFailed } from './health.ts';
import type { ServingState } from './serving-state.ts';
import { attemptOf, type Task } from './task.ts';

type Result = 'delivered' | 'failed' | 'exhausted';

/** Applies an attempt's outcome to the event, to its queue and to the endpoint. */
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

/** Abandons an event that the log no longer has. */
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
  // A probe tests the endpoint, and uses up none of the event's own attempts.
  const isProbe = task.cause === 'probe' && parked !== undefined;
  const tries = task.tries + (isProbe ? 0 : 1);
  const next = isProbe ? outcome.at : nextTry(tries, outcome.at);
  if (next === undefined && parked) {
    takeAway(state, parked, outcome.at);
    return 'exhausted';
  }
  const rest = outcome.at.getTime() + outcome.restMs;
  const next_at = new Date(Math.max(next?.getTime() ?? 0, rest)).toISOString();
  const row: ParkedDelivery = { position, lane: task.lane, attempt: tries, next_at };
  if (parked) state.queues.change(row);
  else {
    state.queues.add(row);
    settleNew(state, task);
  }
  put(state.batch, row);
  return 'failed';
}

/** The event is delivered or parked: the buffer, or the chunk of a replay, is done with it. */
function settleNew(state: ServingState, { cause, position }: Task): void {
  if (cause === 'replay' || cause === 'resend') endOfChunk(state);
  else state.buffer.settle(position);
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

/** Removes a row; the next one of its queue is due at once. */
function takeAway({ queues, batch }: ServingState, row: ParkedDelivery, at: Date): void {
  batch.unparked.push(row);
  const next = queues.remove(row);
  if (!next) return;
  const first = { ...next, next_at: at.toISOString() };
  queues.change(first);
  put(batch, first);
}

function succeeded(state: ServingState, { at }: WebhookOutcome): void {
  const { queues, batch, pacing } = state;
  state.health = afterSuccess(at);
  pacing.succeeded();
  if (!state.isStopped) return;
  state.isStopped = false;
  turnTo(batch, 'recovered');
  // The endpoint works again, so its parked deliveries need not wait for hours.
  for (const head of queues.heads()) {
    const now = { ...head, next_at: at.toISOString() };
    queues.change(now);
    put(batch, now);
  }
}

function failed(state: ServingState, { position, cause }: Task, outcome: WebhookOutcome): void {
  const { at, ends, isOverloaded, restMs } = outcome;
  const { isStopped, pacing, batch, buffer } = state;
  state.health = afterFailure(state.health, { position, at, isProbe: cause === 'probe' });
  if (isOverloaded) pacing.overloaded(new Date(at.getTime() + restMs));
  if (ends !== undefined) {
    state.isClosing = true;
    turnTo(batch, ends);
  } else if (!isStopped && hasWebhookFailed(state.health, position)) {
    state.isStopped = true;
    state.health = { ...state.health, probe_at: nextProbe(0, at).toISOString() };
    buffer.rewind();
    turnTo(batch, 'failing');
  }
}
