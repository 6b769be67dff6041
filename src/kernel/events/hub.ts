import type { Kysely } from 'kysely';
import type { DB } from '../db/schema.generated.ts';
import type { Logger } from '../log.ts';
import { uncaused } from './cause.ts';
import { type LoggedEvent, logBounds, type Reading, readLog } from './event-log.ts';

/** Somebody who is told of events as they come. */
export interface Follower extends Pick<Reading, 'client_id' | 'user_id' | 'types'> {
  /** The position from which on they are told. */
  readonly after: number;
  /** `text` makes the envelope, once for all who are told. */
  tell(event: LoggedEvent): void;
  /** Rejects where they are gone. Ends when there is room for more. */
  room(): Promise<void>;
  /** They have been told of everything up to there. */
  end(): void;
}

export interface Hub {
  /** Tells them until it is taken back, or all are ended. */
  follow(follower: Follower): () => void;
  /** The log has grown, as far as is known. */
  grown(): void;
  readonly followers: number;
  /** Ends all, and takes no more. */
  close(): void;
}

interface Known extends Follower {
  place: number;
  /** Told with all the others; behind are those who read for themselves. */
  isAbreast: boolean;
}

const PAGE = 500;
/** A look, in case a notice was lost. */
const LOOK_MS = 250;

/** One reader for all who follow: the log is read once, and what each wants is found in memory. */
export function createHub({ db, log }: { readonly db: Kysely<DB>; readonly log: Logger }): Hub {
  const known = new Set<Known>();
  let place: number | undefined;
  let isReading = false;
  let isAsked = false;
  let isClosed = false;
  let looks: NodeJS.Timeout | undefined;

  function grown(): void {
    isAsked = true;
    if (!isReading) void uncaused(read);
  }

  async function read(): Promise<void> {
    isReading = true;
    try {
      while (isAsked && known.size > 0) await readOn();
    } catch (error) {
      // The next look tries again; nobody's place has moved past what they have not been told.
      log.warn({ err: error }, 'The log of events could not be read');
    } finally {
      isReading = false;
    }
  }

  async function readOn(): Promise<void> {
    isAsked = false;
    // Who joined while nobody followed reads up to here by themselves.
    place ??= (await logBounds(db)).head;
    const { events, upto } = await readLog(db, { after: place, limit: PAGE });
    for (const one of known) if (one.isAbreast) tell(one, events, upto);
    place = upto;
    isAsked ||= events.length === PAGE;
  }

  /** By themselves, until they are where all the others are. */
  async function catchUp(one: Known): Promise<void> {
    while (known.has(one)) {
      const { client_id, user_id, types } = one;
      const stretch = await readLog(db, {
        ...{ after: one.place, limit: PAGE, client_id, user_id, types },
      });
      for (const event of stretch.events) {
        await one.room();
        if (!known.has(one)) return;
        one.tell(event);
      }
      one.place = Math.max(one.place, stretch.upto);
      if (place !== undefined && one.place >= place) break;
      if (place === undefined && stretch.events.length < PAGE) break;
    }
    one.isAbreast = true;
    grown();
  }

  const drop = (one: Known): void => {
    known.delete(one);
    if (known.size > 0) return;
    clearInterval(looks);
    looks = undefined;
    place = undefined;
  };

  return {
    follow(follower) {
      const one: Known = { ...follower, place: follower.after, isAbreast: false };
      if (isClosed) follower.end();
      else known.add(one);
      looks ??= uncaused(() => setInterval(grown, LOOK_MS).unref());
      catchUp(one).catch((err: unknown) => {
        if (known.has(one)) log.info({ err }, 'A follower of events is let go');
        drop(one);
        one.end();
      });
      return () => drop(one);
    },
    grown,
    get followers() {
      return known.size;
    },
    close() {
      isClosed = true;
      clearInterval(looks);
      for (const one of [...known]) one.end();
      known.clear();
    },
  };
}

function tell(one: Known, events: readonly LoggedEvent[], upto: number): void {
  for (const event of events) if (event.position > one.place && wants(one, event)) one.tell(event);
  one.place = Math.max(one.place, upto);
}

const wants = ({ client_id, user_id, types }: Follower, event: LoggedEvent): boolean =>
  (client_id === undefined || event.client_id === client_id) &&
  (user_id === undefined || event.user_id === user_id) &&
  (types === undefined || types.includes(event.type));
