import type { Kysely } from 'kysely';
import { uncaused } from '#kernel/cause.ts';
import type { DB } from '../db/schema.generated.ts';
import type { Logger } from '../log.ts';
import { type EventFilter, type LoggedEvent, readLog } from './event-log.ts';

/** Somebody who is told of events as they come. */
export interface EventSubscriber extends Pick<EventFilter, 'client_id' | 'user_id' | 'types'> {
  /** The position from which on they are told. */
  readonly after: number;
  /** `text` makes the envelope, once for all who are told. */
  tell(event: LoggedEvent): void;
  /** Rejects where they are gone. Ends when there is room for more. */
  room(): Promise<void>;
  /** They have been told of everything up to there. */
  end(): void;
}

export interface EventFanOut {
  /** Tells them until it is taken back, or all are ended. */
  follow(follower: EventSubscriber): () => void;
  /** The log has grown, as far as is known. */
  grown(): void;
  readonly followers: number;
  /** Ends all, and takes no more. */
  close(): void;
}

interface Known extends EventSubscriber {
  place: number;
  /** Told with all the others; behind are those who read for themselves. */
  isAbreast: boolean;
}

const PAGE = 500;
/** A look, in case a notice was lost. */
const LOOK_MS = 250;

/** One reader for all who follow: the log is read once, and what each wants is found in memory. */
export function createEventFanOut(deps: HubDeps): EventFanOut {
  const hub: State = { ...deps, known: new Set(), isReading: false, isAsked: false };
  let isClosed = false;
  let looks: NodeJS.Timeout | undefined;

  const drop = (one: Known): void => {
    hub.known.delete(one);
    if (hub.known.size > 0) return;
    clearInterval(looks);
    looks = undefined;
    hub.place = undefined;
  };

  return {
    follow(follower) {
      const one: Known = { ...follower, place: follower.after, isAbreast: false };
      if (isClosed) follower.end();
      else hub.known.add(one);
      looks ??= uncaused(() => setInterval(() => grown(hub), LOOK_MS).unref());
      catchUp(hub, one).catch((err: unknown) => {
        if (hub.known.has(one)) hub.log.info({ err }, 'A follower of events is let go');
        drop(one);
        one.end();
      });
      return () => drop(one);
    },
    grown: () => grown(hub),
    get followers() {
      return hub.known.size;
    },
    close() {
      isClosed = true;
      clearInterval(looks);
      for (const one of [...hub.known]) one.end();
      hub.known.clear();
    },
  };
}

interface HubDeps {
  readonly db: Kysely<DB>;
  readonly log: Logger;
}

interface State extends HubDeps {
  readonly known: Set<Known>;
  /** How far all have been told who are abreast; nothing while nobody follows. */
  place?: number | undefined;
  isReading: boolean;
  isAsked: boolean;
}

function grown(hub: State): void {
  hub.isAsked = true;
  if (!hub.isReading) void uncaused(() => read(hub));
}

async function read(hub: State): Promise<void> {
  hub.isReading = true;
  try {
    while (hub.isAsked && hub.known.size > 0) await readOn(hub);
  } catch (error) {
    // The next look tries again; nobody's place has moved past what they have not been told.
    hub.log.warn({ err: error }, 'The log of events could not be read');
  } finally {
    hub.isReading = false;
  }
}

async function readOn(hub: State): Promise<void> {
  hub.isAsked = false;
  const abreast = [...hub.known].filter(({ isAbreast }) => isAbreast);
  if (abreast.length === 0) return;
  // From where the first of them are: what has come since is theirs, too.
  hub.place ??= Math.min(...abreast.map(({ place }) => place));
  const { events, upto } = await readLog(hub.db, { after: hub.place, limit: PAGE });
  for (const one of abreast) tell(one, events, upto);
  hub.place = upto;
  hub.isAsked ||= events.length === PAGE;
}

/** By themselves, until they are where all the others are. */
async function catchUp(hub: State, one: Known): Promise<void> {
  while (hub.known.has(one)) {
    const { client_id, user_id, types } = one;
    const reading = { after: one.place, limit: PAGE, client_id, user_id, types };
    const stretch = await readLog(hub.db, reading);
    for (const event of stretch.events) {
      await one.room();
      if (!hub.known.has(one)) return;
      one.tell(event);
    }
    one.place = Math.max(one.place, stretch.upto);
    if (hub.place !== undefined && one.place >= hub.place) break;
    if (hub.place === undefined && stretch.events.length < PAGE) break;
  }
  one.isAbreast = true;
  grown(hub);
}

function tell(one: Known, events: readonly LoggedEvent[], upto: number): void {
  for (const event of events) if (event.position > one.place && wants(one, event)) one.tell(event);
  one.place = Math.max(one.place, upto);
}

const wants = ({ client_id, user_id, types }: EventSubscriber, event: LoggedEvent): boolean =>
  (client_id === undefined || event.client_id === client_id) &&
  (user_id === undefined || event.user_id === user_id) &&
  (types === undefined || types.includes(event.type));
