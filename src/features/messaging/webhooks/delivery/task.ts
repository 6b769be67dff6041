import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { NewAttempt, ParkedDelivery } from '../delivery-store.ts';
import type { WebhookEndpoint } from '../endpoint-store.ts';

/** An event on its way to an endpoint. */
export interface Task {
  readonly position: number;
  readonly lane: string;
  /** Attempts before this one. */
  readonly tries: number;
  readonly cause: 'event' | 'retry' | 'probe' | 'replay' | 'resend';
  /** The event; undefined where it has to be read first. */
  readonly event?: LoggedEvent;
  /** Its parked row, where it has one. */
  readonly parked?: ParkedDelivery;
}

/** Prefix of the queues of repetitions: they are late anyway, and hold up no new event. */
const AGAIN = 'again ';
const STRICT = '*';

/** The queue of an event: those in one queue are delivered one after another. */
export function laneOf(
  { object_type, object_id }: LoggedEvent,
  { ordering }: Pick<WebhookEndpoint, 'ordering'>,
): string {
  return ordering === 'strict' ? STRICT : `${object_type}:${object_id}`;
}

export const againLane = (lane: string): string => AGAIN + lane;

/** The object of a queue: a delivery in flight holds up repetitions of its object, too. */
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
