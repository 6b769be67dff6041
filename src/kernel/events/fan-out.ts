import type { Kysely } from 'kysely';
import { uncaused } from '#kernel/cause.ts';
import type { DB } from '../db/schema.generated.ts';
import type { Logger } from '../log.ts';
import { type EventFilter, type LoggedEvent, readLog } from './event-log.ts';

/** A stream that receives events as they come. */
export interface EventSubscriber extends Pick<EventFilter, 'client_id' | 'user_id' | 'types'> {
  /** The position after which it receives events. */
  readonly after: number;
  /** Sends one event. */
  tell(event: LoggedEvent): void;
  /** Resolves when the subscriber has room for more; rejects where it is gone. */
  room(): Promise<void>;
  /** Closes the subscriber. */
  end(): void;
}

export interface EventFanOut {
  /** Sends events until the answer is called, or all subscribers end. */
  follow(subscriber: EventSubscriber): () => void;
  /** Announces that the log may have grown. */
  grown(): void;
  readonly followers: number;
  /** Ends all subscribers, and takes no more. */
  close(): void;
}

interface Subscription extends EventSubscriber {
  position: number;
  /** Receives events with all the others; one that is behind reads for itself. */
  isAbreast: boolean;
}

const PAGE = 500;
/** Polls, in case a notice was lost. */
const LOOK_MS = 250;

/** One reader for all subscribers: it reads the log once, and filters in memory for each. */
export function createEventFanOut(deps: FanOutDeps): EventFanOut {
  const fanOut: State = { ...deps, known: new Set(), isReading: false, isWanted: false };
  let isClosed = false;
  let looks: NodeJS.Timeout | undefined;

  const drop = (one: Subscription): void => {
    fanOut.known.delete(one);
    if (fanOut.known.size > 0) return;
    clearInterval(looks);
    looks = undefined;
    fanOut.position = undefined;
  };

  return {
    follow(subscriber) {
      const one: Subscription = { ...subscriber, position: subscriber.after, isAbreast: false };
      if (isClosed) subscriber.end();
      else fanOut.known.add(one);
      looks ??= uncaused(() => setInterval(() => grown(fanOut), LOOK_MS).unref());
      catchUp(fanOut, one).catch((err: unknown) => {
        if (fanOut.known.has(one)) fanOut.log.info({ err }, 'A subscriber of events is dropped');
        drop(one);
        one.end();
      });
      return () => drop(one);
    },
    grown: () => grown(fanOut),
    get followers() {
      return fanOut.known.size;
    },
    close() {
      isClosed = true;
      clearInterval(looks);
      for (const one of [...fanOut.known]) one.end();
      fanOut.known.clear();
    },
  };
}

interface FanOutDeps {
  readonly db: Kysely<DB>;
  readonly log: Logger;
}

interface State extends FanOutDeps {
  readonly known: Set<Subscription>;
  /** How far the abreast subscribers have received events; undefined without subscribers. */
  position?: number | undefined;
  isReading: boolean;
  isWanted: boolean;
}

function grown(fanOut: State): void {
  fanOut.isWanted = true;
  if (!fanOut.isReading) void uncaused(() => read(fanOut));
}

async function read(fanOut: State): Promise<void> {
  fanOut.isReading = true;
  try {
    while (fanOut.isWanted && fanOut.known.size > 0) await readOn(fanOut);
  } catch (error) {
    // The next poll tries again; no subscriber's position has passed an event that it has not received.
    fanOut.log.warn({ err: error }, 'The log of events could not be read');
  } finally {
    fanOut.isReading = false;
  }
}

async function readOn(fanOut: State): Promise<void> {
  fanOut.isWanted = false;
  const abreast = [...fanOut.known].filter(({ isAbreast }) => isAbreast);
  if (abreast.length === 0) return;
  // From the earliest of them: later events are theirs, too.
  fanOut.position ??= Math.min(...abreast.map(({ position }) => position));
  const { events, upto } = await readLog(fanOut.db, { after: fanOut.position, limit: PAGE });
  for (const one of abreast) tell(one, events, upto);
  fanOut.position = upto;
  fanOut.isWanted ||= events.length === PAGE;
}

/** Reads for one subscriber until it has caught up with the others. */
async function catchUp(fanOut: State, one: Subscription): Promise<void> {
  while (fanOut.known.has(one)) {
    const { client_id, user_id, types } = one;
    const reading = { after: one.position, limit: PAGE, client_id, user_id, types };
    const range = await readLog(fanOut.db, reading);
    for (const event of range.events) {
      await one.room();
      if (!fanOut.known.has(one)) return;
      one.tell(event);
    }
    one.position = Math.max(one.position, range.upto);
    if (fanOut.position !== undefined && one.position >= fanOut.position) break;
    if (fanOut.position === undefined && range.events.length < PAGE) break;
  }
  one.isAbreast = true;
  grown(fanOut);
}

function tell(one: Subscription, events: readonly LoggedEvent[], upto: number): void {
  for (const event of events)
    if (event.position > one.position && wants(one, event)) one.tell(event);
  one.position = Math.max(one.position, upto);
}

const wants = ({ client_id, user_id, types }: EventSubscriber, event: LoggedEvent): boolean =>
  (client_id === undefined || event.client_id === client_id) &&
  (user_id === undefined || event.user_id === user_id) &&
  (types === undefined || types.includes(event.type));
