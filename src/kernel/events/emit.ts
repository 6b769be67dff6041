import type { Kysely, Transaction } from 'kysely';
import { type Cause, causeNow, noteChanged } from '#kernel/cause.ts';
import { columnsOf, unnested } from '../db/columns.ts';
import { type Db, runLast } from '../db/db.ts';
import { AFTER_DEFERRED, collectDeferred, foldDeferred } from '../db/deferred-writes.ts';
import type { DB } from '../db/schema.generated.ts';
import type { Statement } from '../db/statement-names.ts';
import type { EventType } from './event-type.ts';
import { truncateEvent } from './truncate-event.ts';

/** What has happened to one object, as it is from now on. */
export interface EventInput<D> {
  /** Whose object it is; the operator's where it is no client's. */
  readonly client_id: number;
  /** The one person whom it is about, who may read of it, too. */
  readonly user_id?: number | null;
  /** The object's own id, as its GET is asked for. */
  readonly id: string | number;
  /** The object as its GET answers it, by the same presenter. */
  readonly data: D;
  /** What was otherwise before. */
  readonly previous?: object;
  /** What it is part of, where that is not the request under way. */
  readonly operation?: string | null;
  /** What has led to it, where it was asked for elsewhere: of what waits in a batch. */
  readonly cause?: Cause;
}

interface Told {
  readonly client_id: number;
  readonly user_id: number | null;
  readonly type: string;
  readonly schema_version: number;
  readonly object_type: string;
  readonly object_id: string;
  readonly data: string;
  readonly cause: Cause;
  readonly operation: string | null;
  /** `data` before it was written. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** What was told, for who counts it. */
export interface EmittedFacts {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A transfer that was posted to the ledger, which the entries of wallets are told by. */
export interface PostedTransfer {
  readonly transfer_id: number;
  readonly cause: Cause;
}

interface Story {
  readonly events: Told[];
  readonly posted: PostedTransfer[];
}

/** Of the transactions that are open, what each has to tell so far. */
const open = new WeakMap<object, Story>();
/** Who wants to know that something was told, by the database. */
const listeners = new WeakMap<object, () => void>();
const counters = new WeakMap<object, (facts: readonly EmittedFacts[]) => void>();

/**
 * Tells what has happened, in the transaction in which it does: told if that commits, never if not.
 * Together with the change of the object's own row, so that the events of one object have its order.
 */
export function emit<D>(tx: Db, type: EventType<D>, happening: EventInput<D>): void {
  const story = open.get(tx);
  if (!story) throw new Error(`${type.name} is told outside of a transaction`);
  const { client_id, user_id = null, id, data, previous, cause = causeNow() } = happening;
  const { operation = cause.operation } = happening;
  noteChanged({ type: type.object, id: String(id) });
  const shaped = type.shape(data) as object;
  story.events.push({
    client_id,
    user_id,
    type: type.name,
    schema_version: type.version,
    object_type: type.object,
    object_id: String(id),
    data: truncateEvent(previous === undefined ? shaped : { ...shaped, previous }),
    cause,
    operation,
    shown: shaped as Readonly<Record<string, unknown>>,
  });
}

/** Tells what transfers mean to wallets, with all else that the transaction tells. The ledger does so. */
export function emitPosted(tx: Db, posted: readonly PostedTransfer[]): void {
  open.get(tx)?.posted.push(...posted);
}

/**
 * Runs the work of a transaction, and writes down last what it has told, together with what was left for the
 * end. `transact` calls it.
 */
export async function withEvents<T>(
  tx: Transaction<DB>,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<{
  readonly result: T;
  readonly told: boolean;
  readonly facts: readonly EmittedFacts[];
}> {
  const story: Story = { events: [], posted: [] };
  open.set(tx, story);
  const parts = collectDeferred(tx);
  try {
    const result = await work(tx);
    // Last: what has a number waits for nobody any more, and comes after all that it has seen.
    const last = foldDeferred(parts, (after) => writing(story, after));
    if (last) await runLast(tx, last.text, last.values);
    const told = story.events.length + story.posted.length > 0;
    return { result, told, facts: story.events.map(factsOf) };
  } finally {
    open.delete(tx);
  }
}

const factsOf = ({ type, shown }: Told): EmittedFacts => ({ type, data: shown });

/** Something was told, and has committed. */
export function notifyCommitted(db: Kysely<DB>, facts: readonly EmittedFacts[]): void {
  listeners.get(db)?.();
  if (facts.length > 0) counters.get(db)?.(facts);
}

/** Calls `count` with what each commit of this process has told, beside who moves it. */
export function countEmitted(
  db: Kysely<DB>,
  count: (facts: readonly EmittedFacts[]) => void,
): void {
  counters.set(db, count);
}

/** Calls `heard` after each commit of this process that has told something. */
export function onCommitted(db: Kysely<DB>, heard: () => void): () => void {
  listeners.set(db, heard);
  return () => listeners.delete(db);
}

const CAUSE = {
  request_id: 'text',
  idempotency_key: 'text',
  actor: 'text',
  operation: 'text',
} as const;
const POSTED = { transfer_id: 'bigint', ...CAUSE } as const;
const OBJECT = {
  client_id: 'integer',
  user_id: 'integer',
  type: 'text',
  schema_version: 'smallint',
  object_type: 'text',
  object_id: 'text',
  data: 'json',
} as const;
const TOLD = { ...OBJECT, ...CAUSE } as const;

/** With what it has to come after, and without. */
const INSERTS = new Map(['', AFTER_DEFERRED].map((after) => [after, insertsAfter(after)]));

function writing({ events, posted }: Story, after: string): Statement | undefined {
  const inserts = INSERTS.get(after);
  if (!inserts || (posted.length === 0 && events.length === 0)) return undefined;
  const transfers = columnsOf(POSTED, posted.map(transferRowOf));
  if (events.length === 0) return { text: inserts.posted, values: transfers };
  const told = columnsOf(TOLD, events.map(rowOf));
  if (posted.length === 0) return { text: inserts.told, values: told };
  return { text: inserts.both, values: [...transfers, ...told] };
}

/** Callers choose it, and have chosen a card's number before. */
const keyOf = ({ idempotency_key }: Cause): string | undefined =>
  idempotency_key?.replace(CARD_LIKE, '[redacted]');
const CARD_LIKE = /(?<!\d)\d(?:[ -]?\d){14,18}(?!\d)/g;

/** Of a transfer only its number: who moves it works out what it means to wallets (migration 0063). */
function insertsAfter(after: string) {
  const cause = Object.keys(CAUSE).join();
  const object = Object.keys(OBJECT).join();
  const told = (before: number) => `
  select ${object}, (select at from service_time), ${cause} from ${unnested(TOLD, before)} ${after}`;
  const posted = `from ${unnested(POSTED)} ${after}`;
  return {
    told: `insert into events.outbox (${object}, at, ${cause})${told(0)}`,
    posted: `
  insert into events.outbox (transfer_id, at, ${cause})
  select transfer_id, (select at from service_time), ${cause} ${posted}`,
    // What was told comes before the entries.
    both: `
  insert into events.outbox (${object}, at, ${cause}, transfer_id)
  select *, null::bigint from (${told(Object.keys(POSTED).length)}) e
  union all
  select null, null, null, null, null, null, null, (select at from service_time), ${cause}, transfer_id
  ${posted}`,
  };
}

const transferRowOf = ({ transfer_id, cause }: PostedTransfer) => ({
  transfer_id,
  request_id: cause.request_id,
  idempotency_key: keyOf(cause),
  actor: cause.actor,
  operation: cause.operation,
});

const rowOf = ({ cause, ...row }: Told) => ({
  ...row,
  request_id: cause.request_id,
  idempotency_key: keyOf(cause),
  actor: cause.actor,
});
