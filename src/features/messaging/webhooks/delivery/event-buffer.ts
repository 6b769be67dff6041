import type { LoggedEvent } from '#kernel/events/event-log.ts';

/** The events of one endpoint, read ahead a little from the log, and the low-water mark below which none is open. */
export interface EventBuffer {
  /** The position up to which the log was read. */
  readonly cursor: number;
  /** Events that were read and not begun. */
  readonly waiting: readonly LoggedEvent[];
  readonly hasRoom: boolean;
  /** The low-water mark: every event up to here is delivered, parked or abandoned. */
  readonly place: number;
  add(events: readonly LoggedEvent[], upto: number): void;
  /** Takes an event out, to send or park it. */
  begin(event: LoggedEvent): void;
  /** The event at that position is delivered or parked. */
  settle(position: number): void;
  /** Drops the events that were read ahead, to read them again. */
  rewind(): void;
}

const AHEAD = 100;

export function createEventBuffer(place: number, known: readonly number[]): EventBuffer {
  /** Positions above the mark whose events overtook older ones. */
  const settled = new Set(known);
  const begun = new Set<number>();
  let waiting: LoggedEvent[] = [];
  let cursor = place;
  const placeNow = () => Math.min(cursor, ...[...begun].map(before), ...waiting.map(beforeEvent));
  return {
    get cursor() {
      return cursor;
    },
    get waiting() {
      return waiting;
    },
    get hasRoom() {
      return waiting.length < AHEAD;
    },
    get place() {
      const place = placeNow();
      for (const position of settled) if (position <= place) settled.delete(position);
      return place;
    },
    add(events, upto) {
      waiting.push(
        ...events.filter(({ position }) => !settled.has(position) && !begun.has(position)),
      );
      cursor = upto;
    },
    begin(event) {
      waiting = waiting.filter((other) => other !== event);
      begun.add(event.position);
    },
    settle(position) {
      begun.delete(position);
      if (position > placeNow()) settled.add(position);
    },
    rewind() {
      cursor = placeNow();
      waiting = [];
    },
  };
}

const before = (position: number): number => position - 1;
const beforeEvent = ({ position }: LoggedEvent): number => position - 1;
