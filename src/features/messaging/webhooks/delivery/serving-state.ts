import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { Logger } from '#kernel/log.ts';
import type { WebhookOutcome } from '../attempt.ts';
import type { Health, Replay } from '../delivery-store.ts';
import type { WebhookEndpoint } from '../endpoint-store.ts';
import type { EndpointTurn } from '../status-store.ts';
import type { SealedBatch, WebhookBatch } from './batch.ts';
import type { DeliveryCapacity } from './capacity.ts';
import type { EventBuffer } from './event-buffer.ts';
import type { ObjectQueues } from './object-queues.ts';
import type { Pacing } from './pacing.ts';
import type { Task } from './task.ts';

/** Dependencies of serving endpoints. */
export interface ServingDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The last position of the log that this process knows, and the oldest one in the log. */
  bounds(): { readonly head: number; readonly oldest: number };
  /** Names of the types that match the filters; undefined for all. */
  typesOf(filters: readonly string[]): readonly string[] | undefined;
  /** One attempt. `keepAlive`: the socket may be kept for the next one. */
  send(endpoint: WebhookEndpoint, event: LoggedEvent, sent: SentDelivery): Promise<WebhookOutcome>;
  readonly capacity: DeliveryCapacity<ServingState>;
  /** Makes the partition for the attempts of that day. */
  provide(at: Date): Promise<void>;
  /** Emits a change of an endpoint's status, in the transaction of the change. */
  turned(tx: Db, endpoint: WebhookEndpoint, turn: EndpointTurn): Promise<void>;
  counted(result: 'delivered' | 'failed' | 'exhausted'): void;
}

export interface SentDelivery {
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly keepAlive: boolean;
}

/** Part of a replay's range: the next part follows when all of these are settled. */
export interface Chunk {
  readonly replay: Replay;
  readonly upto: number;
  readonly waiting: LoggedEvent[];
  open: number;
}

/** One endpoint in the memory of the process that serves it; the database has the same. */
export interface ServingState {
  readonly deps: ServingDeps;
  readonly lease: string;
  endpoint: WebhookEndpoint;
  /** Whether the operator has approved its client; others have smaller shares. */
  isApproved: boolean;
  types: readonly string[] | undefined;
  health: Health;
  isStopped: boolean;
  readonly queues: ObjectQueues;
  readonly buffer: EventBuffer;
  pacing: Pacing;
  replays: Replay[];
  chunk: Chunk | undefined;
  readonly inFlight: Set<Task>;
  /** Objects with a delivery in flight. */
  readonly busy: Set<string>;
  batch: WebhookBatch;
  /** The batch that is being written, or whose writing failed. */
  writing: SealedBatch | undefined;
  isWriting: boolean;
  isReading: boolean;
  /** Begins nothing more: the endpoint is paused or disabled, or the process ends. */
  isClosing: boolean;
  /** Another process serves the endpoint, or it is deleted: this state no longer counts. */
  isLost: boolean;
  readonly underway: Set<Promise<unknown>>;
}
