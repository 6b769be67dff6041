import type { Kysely } from 'kysely';
import type { Liveness } from '../db/liveness.ts';
import type { Notifications } from '../db/notifications.ts';
import type { DB } from '../db/schema.generated.ts';
import type { Logger } from '../log.ts';
import { createEventFanOut, type EventSubscriber } from './fan-out.ts';
import { createOutboxRelay } from './outbox-relay.ts';

/** The log of events. `emit` writes it, `readLog` reads it. */
export interface Events {
  /** Begins to move events from the outbox to the log. */
  start(): void;
  /** Moves all events that have committed so far; answers how many. */
  settle(): Promise<number>;
  /**
   * Calls `listener` whenever the log has grown, by any process, until the answer is called.
   * A notice may get lost: poll, too.
   */
  onGrown(listener: () => void): () => void;
  /** Sends events to a subscriber as they come, until the answer is called. */
  follow(follower: EventSubscriber): () => void;
  /** How many subscribers there are. */
  followers(): number;
  /** Ends all subscribers: the process takes no more. */
  rest(): void;
  close(): Promise<void>;
}

export interface EventsDeps {
  readonly db: Kysely<DB>;
  readonly presence: Pick<Liveness, 'query' | 'listen'>;
  readonly log: Logger;
}

export function createEventLog({ db, presence, log }: EventsDeps): Events {
  const relay = createOutboxRelay({ db, presence, log });
  const fanOut = createEventFanOut({ db, log });
  const listeners = new Set<() => void>([fanOut.grown]);
  const tell = () => {
    for (const heard of listeners) heard();
  };
  // Only a process with listeners needs notices.
  let notices: Promise<Notifications> | undefined;
  const hear = () => {
    notices ??= presence.listen({ channel: 'events', hear: tell, lost: tell });
  };
  const onGrown = (listener: () => void) => {
    listeners.add(listener);
    hear();
    return () => listeners.delete(listener);
  };
  return {
    start: () => relay.start(),
    settle: () => relay.settle(),
    onGrown,
    follow(follower) {
      hear();
      return fanOut.follow(follower);
    },
    followers: () => fanOut.followers,
    rest: () => fanOut.close(),
    async close() {
      fanOut.close();
      listeners.clear();
      await relay.close();
      await (await notices)?.close();
    },
  };
}
