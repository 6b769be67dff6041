import type { Kysely } from 'kysely';
import type { Liveness } from '../db/liveness.ts';
import type { Notifications } from '../db/notifications.ts';
import type { DB } from '../db/schema.generated.ts';
import type { Logger } from '../log.ts';
import { createEventFanOut, type EventSubscriber } from './fan-out.ts';
import { createOutboxRelay } from './outbox-relay.ts';

/** The log of what has happened. Told by `emit`, read by `readLog`. */
export interface Events {
  /** Begins to move what was told to the log. */
  start(): void;
  /** Moves all that has committed until now; answers how many those were. */
  settle(): Promise<number>;
  /**
   * Calls `heard` whenever the log has grown, whichever process has moved it, until it is taken back.
   * A notice may get lost: look now and then, too.
   */
  onGrown(heard: () => void): () => void;
  /** Tells somebody of events as they come, until it is taken back. */
  follow(follower: EventSubscriber): () => void;
  /** How many are told so. */
  followers(): number;
  /** Ends those who follow: the process takes no more. */
  rest(): void;
  close(): Promise<void>;
}

export interface EventsDeps {
  readonly db: Kysely<DB>;
  readonly presence: Pick<Liveness, 'query' | 'listen'>;
  readonly log: Logger;
}

export function createEventLog({ db, presence, log }: EventsDeps): Events {
  const mover = createOutboxRelay({ db, presence, log });
  const hub = createEventFanOut({ db, log });
  const followers = new Set<() => void>([hub.grown]);
  const tell = () => {
    for (const heard of followers) heard();
  };
  // For those who have anybody to tell.
  let notices: Promise<Notifications> | undefined;
  const hear = () => {
    notices ??= presence.listen({ channel: 'events', hear: tell, lost: tell });
  };
  const onGrown = (heard: () => void) => {
    followers.add(heard);
    hear();
    return () => followers.delete(heard);
  };
  return {
    start: () => mover.start(),
    settle: () => mover.settle(),
    onGrown,
    follow(follower) {
      hear();
      return hub.follow(follower);
    },
    followers: () => hub.followers,
    rest: () => hub.close(),
    async close() {
      hub.close();
      followers.clear();
      await mover.close();
      await (await notices)?.close();
    },
  };
}
