import type { LoggedEvent } from '#kernel/events/event-log.ts';

/**
 * What comes from the log to one endpoint: read ahead a little, and the place up to which nothing is open.
 */
export interface Intake {
  /** Up to here the log was read. */
  readonly cursor: number;
  /** Read, and not begun. */
  readonly waiting: readonly LoggedEvent[];
  readonly hasRoom: boolean;
  /** Everything up to here is delivered, parked or given up. */
  readonly place: number;
  add(events: readonly LoggedEvent[], upto: number): void;
  /** Takes an event out to be sent or parked. */
  begin(event: LoggedEvent): void;
  /** It is delivered or parked. */
  settle(position: number): void;
  /** Forgets what was read ahead, to read it again. */
  rewind(): void;
}

const AHEAD = 100;

export function createIntake(place: number, known: readonly number[]): Intake {
  /** Beyond the place: what was faster than its elders. */
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
