import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { Logger } from '#kernel/log.ts';
import type { WebhookOutcome } from './attempt.ts';
import type { Turn, WebhookBatch, Written } from './batch.ts';
import type { Health, Replay } from './delivery-store.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import type { Intake } from './intake.ts';
import type { Lanes } from './lanes.ts';
import type { Pacing } from './pacing.ts';
import type { DeliveryRoom } from './room.ts';
import type { Task } from './task.ts';

/** What serving endpoints stands on. */
export interface ServingDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The last position of the log that this process knows of, and the first that is kept. */
  bounds(): { readonly head: number; readonly oldest: number };
  /** Names of the types that filters mean; nothing for all. */
  typesOf(filters: readonly string[]): readonly string[] | undefined;
  /** Tries once. `keepAlive` says whether the socket may be kept for the next try. */
  send(endpoint: WebhookEndpoint, event: LoggedEvent, sent: SentDelivery): Promise<WebhookOutcome>;
  readonly room: DeliveryRoom<ServingState>;
  /** Makes room for the attempts of that day. */
  provide(at: Date): Promise<void>;
  /** Tells that an endpoint has turned to something, in the transaction in which it does. */
  turned(tx: Db, endpoint: WebhookEndpoint, turn: Turn): Promise<void>;
  counted(result: 'delivered' | 'failed' | 'exhausted'): void;
}

export interface SentDelivery {
  /** 1 for the first try. */
  readonly attempt: number;
  readonly keepAlive: boolean;
}

/** Part of a stretch that is repeated: it is gone on with when all of these are settled. */
export interface Chunk {
  readonly replay: Replay;
  readonly upto: number;
  readonly waiting: LoggedEvent[];
  open: number;
}

/** One endpoint as the process that serves it has it in mind; the database has the same. */
export interface ServingState {
  readonly deps: ServingDeps;
  readonly lease: string;
  endpoint: WebhookEndpoint;
  /** Whether the operator has approved its client; others have smaller shares. */
  isApproved: boolean;
  types: readonly string[] | undefined;
  health: Health;
  isStopped: boolean;
  readonly lanes: Lanes;
  readonly intake: Intake;
  pacing: Pacing;
  replays: Replay[];
  chunk: Chunk | undefined;
  readonly inFlight: Set<Task>;
  /** Objects with something under way. */
  readonly busy: Set<string>;
  batch: WebhookBatch;
  /** What is being written, or could not be. */
  writing: Written | undefined;
  isWriting: boolean;
  isReading: boolean;
  /** Takes nothing more: it is paused, disabled, or the process ends. */
  isClosing: boolean;
  /** Served by somebody else, or gone: nothing of this counts any more. */
  isLost: boolean;
  readonly underway: Set<Promise<unknown>>;
}
