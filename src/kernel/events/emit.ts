import type { Kysely, Transaction } from 'kysely';
import { type Cause, causeNow, noteChanged } from '#kernel/cause.ts';
import { columnsOf, unnested } from '../db/columns.ts';
import { type Db, runLast } from '../db/db.ts';
import { AFTER_DEFERRED, collectDeferred, foldDeferred } from '../db/deferred-writes.ts';
import type { DB } from '../db/schema.generated.ts';
import type { Statement } from '../db/statement-names.ts';
import { deferPayments, noteTouched, touchPayment } from '../payments/payment-writes.ts';
import type { EventType } from './event-type.ts';
import {
  conflictOf,
  forgetting,
  type NamedObject,
  nameObject,
  namesWriting,
} from './object-names.ts';
import { truncateEvent } from './truncate-event.ts';

/** An event of one object, as the object is from now on. */
export interface EventInput<D> {
  /** The owner of the object; the operator where no client owns it. */
  readonly client_id: number;
  /** The one person that the event is about, who may read it, too. */
  readonly user_id?: number | null;
  /** The object's own id, as its GET takes it. */
  readonly id: string | number;
  /** The object as its GET answers it, from the same presenter. */
  readonly data: D;
  /** The fields that changed, with their earlier values. */
  readonly previous?: object;
  /** The operation that it belongs to, where that is not the current request. */
  readonly operation?: string | null;
  /** The request or job behind it, where that is not the current one: for work that waits in a batch. */
  readonly cause?: Cause;
}

interface PendingEvent {
  readonly client_id: number;
  readonly user_id: number | null;
  readonly type: string;
  readonly schema_version: number;
  readonly object_type: string;
  readonly object_id: string;
  readonly data: string;
  readonly cause: Cause;
  readonly operation: string | null;
  /** `data` before it became text. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** An emitted event, for counters. */
export interface EmittedFacts {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A transfer that was posted to the ledger, from which the relay makes the events of wallets' entries. */
export interface PostedTransfer {
  readonly transfer_id: number;
  readonly cause: Cause;
}

interface PendingEvents {
  readonly events: PendingEvent[];
  readonly posted: PostedTransfer[];
  /** The objects of which callers have given names. */
  readonly named: NamedObject[];
}

/** The events of each open transaction so far. */
const open = new WeakMap<object, PendingEvents>();
/** The listeners to emitted events, by database. */
const listeners = new WeakMap<object, () => void>();
const counters = new WeakMap<object, (facts: readonly EmittedFacts[]) => void>();

/**
 * Emits an event in the transaction that changes the object: published if that commits, never if not.
 * Call it where the object's own row changes, so that the events of one object have its order.
 */
export function emit<D>(tx: Db, type: EventType<D>, input: EventInput<D>): void {
  const pending = open.get(tx);
  if (!pending) throw new Error(`${type.name} is emitted outside of a transaction`);
  const { client_id, user_id = null, id, data, previous, cause = causeNow() } = input;
  const { operation = cause.operation } = input;
  const note = input.cause?.changed ?? noteChanged;
  note({ type: type.object, id: String(id) });
  nameObject(pending.named, cause, {
    event: type.name,
    type: type.object,
    id: String(id),
    client_id,
    user_id,
  });
  if (type.payment) touchPayment(tx, type.payment, id);
  const shaped = type.shape(data) as object;
  pending.events.push({
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

/** Emits the wallets' entries of these transfers. Only the ledger calls it. */
export function emitPosted(tx: Db, posted: readonly PostedTransfer[]): void {
  open.get(tx)?.posted.push(...posted);
}

/**
 * Runs the work of a transaction, and writes its events last, together with its deferred writes. Only `transact`
 * calls it.
 */
export async function withEvents<T>(
  tx: Transaction<DB>,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<{
  readonly result: T;
  readonly hasEvents: boolean;
  readonly facts: readonly EmittedFacts[];
  readonly names: readonly NamedObject[];
}> {
  const pending: PendingEvents = { events: [], posted: [], named: [] };
  open.set(tx, pending);
  const parts = collectDeferred(tx);
  noteTouched(tx);
  try {
    const result = await work(tx);
    await deferPayments(tx);
    // Last: an event with a number waits for no lock, and follows all events that it has seen.
    const names = [...namesWriting(pending.named), ...forgetting(pending.events)];
    const all = [...parts, ...names];
    const last = foldDeferred(all, (after) => writing(pending, after));
    if (last) await runLast(tx, last.text, last.values);
    const hasEvents = pending.events.length + pending.posted.length > 0;
    return { result, hasEvents, facts: pending.events.map(factsOf), names: pending.named };
  } catch (error) {
    throw conflictOf(error, pending.named);
  } finally {
    open.delete(tx);
  }
}

const factsOf = ({ type, shown }: PendingEvent): EmittedFacts => ({ type, data: shown });

/** Tells the listeners that events have committed. */
export function notifyCommitted(db: Kysely<DB>, facts: readonly EmittedFacts[]): void {
  listeners.get(db)?.();
  if (facts.length > 0) counters.get(db)?.(facts);
}

/** Calls `count` with the events of each commit of this process. */
export function countEmitted(
  db: Kysely<DB>,
  count: (facts: readonly EmittedFacts[]) => void,
): void {
  counters.set(db, count);
}

/** Calls `listener` after each commit of this process that has emitted events. */
export function onCommitted(db: Kysely<DB>, listener: () => void): () => void {
  listeners.set(db, listener);
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
const EVENT = { ...OBJECT, ...CAUSE } as const;

/** With the deferred writes that it follows, and without. */
const INSERTS = new Map(['', AFTER_DEFERRED].map((after) => [after, insertsAfter(after)]));

function writing({ events, posted }: PendingEvents, after: string): Statement | undefined {
  const inserts = INSERTS.get(after);
  if (!inserts || (posted.length === 0 && events.length === 0)) return undefined;
  const transfers = columnsOf(POSTED, posted.map(transferRowOf));
  if (events.length === 0) return { text: inserts.posted, values: transfers };
  const rows = columnsOf(EVENT, events.map(rowOf));
  if (posted.length === 0) return { text: inserts.events, values: rows };
  return { text: inserts.both, values: [...transfers, ...rows] };
}

/** Callers choose the key, and some have chosen a card number. */
const keyOf = ({ idempotency_key }: Cause): string | undefined =>
  idempotency_key?.replace(CARD_LIKE, '[redacted]');
const CARD_LIKE = /(?<!\d)\d(?:[ -]?\d){14,18}(?!\d)/g;

/** Of a transfer only its number: the relay derives the entries of wallets (migration 0063). */
function insertsAfter(after: string) {
  const cause = Object.keys(CAUSE).join();
  const object = Object.keys(OBJECT).join();
  const events = (before: number) => `
  select ${object}, (select at from service_time), ${cause} from ${unnested(EVENT, before)} ${after}`;
  const posted = `from ${unnested(POSTED)} ${after}`;
  return {
    events: `insert into events.outbox (${object}, at, ${cause})${events(0)}`,
    posted: `
  insert into events.outbox (transfer_id, at, ${cause})
  select transfer_id, (select at from service_time), ${cause} ${posted}`,
    // Events of objects come before the entries.
    both: `
  insert into events.outbox (${object}, at, ${cause}, transfer_id)
  select *, null::bigint from (${events(Object.keys(POSTED).length)}) e
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

const rowOf = ({ cause, ...row }: PendingEvent) => ({
  ...row,
  request_id: cause.request_id,
  idempotency_key: keyOf(cause),
  actor: cause.actor,
});
