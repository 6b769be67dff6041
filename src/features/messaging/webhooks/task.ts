import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { NewAttempt } from './delivery-store.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import type { Parked } from './lanes.ts';

/** An event on its way to an endpoint. */
export interface Task {
  readonly position: number;
  readonly lane: string;
  /** Tries before this one. */
  readonly tries: number;
  readonly cause: 'event' | 'retry' | 'probe' | 'replay' | 'resend';
  /** What it is: at hand, or to be read. */
  readonly event?: LoggedEvent;
  /** Where it was parked. */
  readonly parked?: Parked;
}

/** Of repetitions, apart from what happens now: they are late anyway, and hold nothing up. */
const AGAIN = 'again ';
const STRICT = '*';

/** In a lane one waits for the other. */
export function laneOf(
  { object_type, object_id }: LoggedEvent,
  { ordering }: Pick<WebhookEndpoint, 'ordering'>,
): string {
  return ordering === 'strict' ? STRICT : `${object_type}:${object_id}`;
}

export const againLane = (lane: string): string => AGAIN + lane;

/** What is under way for one object keeps its repetitions waiting, too. */
export const objectOf = (lane: string): string =>
  lane.startsWith(AGAIN) ? lane.slice(AGAIN.length) : lane;

export const attemptOf = (
  { position, tries, cause }: Task,
  event: LoggedEvent,
): Pick<
  NewAttempt,
  'position' | 'event_id' | 'event_type' | 'object_type' | 'object_id' | 'attempt' | 'cause'
> => ({
  position,
  event_id: event.event_id,
  event_type: event.type,
  object_type: event.object_type,
  object_id: event.object_id,
  attempt: tries + 1,
  cause,
});
