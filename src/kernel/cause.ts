import { AsyncLocalStorage } from 'node:async_hooks';
import type { GivenNames } from './caller-names.ts';

/** What led to something: which request of whom. Jobs and schedules are the system's. */
export interface Cause {
  readonly request_id: string | null;
  readonly idempotency_key: string | null;
  /** `user:3`, `key:7`, `userx:5`, `anyone` or `system`. */
  readonly actor: string;
  /** Names the operation, the same for every attempt under one `Idempotency-Key`. */
  readonly operation: string | null;
  /** What the caller calls the object that it makes; where a request has named it. */
  readonly names?: GivenNames | undefined;
  /** Notes an object that it has changed, also where a batch does its work with that of others. */
  readonly changed?: ((object: ChangedObject) => void) | undefined;
}

const SYSTEM: Cause = {
  request_id: null,
  idempotency_key: null,
  actor: 'system',
  operation: null,
};
const SYSTEMS: Causing = { cause: () => SYSTEM };

/** The source of a cause, which makes it on demand, since most requests never need one. */
export interface Causing {
  cause(): Cause;
  /** Whose it is, where that is known: what it leaves to be done has its turn among that client's. */
  client?(): number | undefined;
  /** The languages that its caller reads, as `Accept-Language` says them. */
  accepts?(): string | undefined;
  /** Takes note of an object that an event was stored about. */
  changed?(object: ChangedObject): void;
  /** Takes note that something was committed, handed to a batch, or called outside. */
  acted?(): void;
}

/** An object that a request has made or changed, as its events name it. */
export interface ChangedObject {
  readonly type: string;
  readonly id: string;
}

const causes = new AsyncLocalStorage<Causing>();

/** Does work that `causing` has caused, so that nothing in between has to hand on which. */
export const causedBy = <T, C extends Causing>(causing: C, work: (causing: C) => T): T =>
  causes.run(causing, work, causing);

/**
 * Does work of its own, or of several: what began it did not cause all of it. Where nothing has, no context is made,
 * which all that begins here would inherit, each request among it.
 */
export const uncaused = <T>(work: () => T): T =>
  causes.getStore() === undefined ? work() : causes.run(SYSTEMS, work);

/** Does work that the current cause has, with the names that its caller gives what it makes. */
export function causedWithNames<T>(names: GivenNames | undefined, work: () => T): T {
  const outer = causes.getStore() ?? SYSTEMS;
  if (names === undefined && outer.cause().names === undefined) return work();
  const named: Causing = {
    cause: () => ({ ...outer.cause(), names }),
    client: () => outer.client?.(),
    accepts: () => outer.accepts?.(),
    changed: (object) => outer.changed?.(object),
    acted: () => outer.acted?.(),
  };
  return causes.run(named, work);
}

/** Does work that a client's request has left to be done. */
export const leftBy = <T>(client_id: number, work: () => T): T =>
  causes.run({ cause: () => SYSTEM, client: () => client_id }, work);

/** The client of the current work; undefined where it is the service's own, or of several clients. */
export const clientNow = (): number | undefined => causes.getStore()?.client?.();

/** The languages that the caller of the current work reads; undefined where no request is served. */
export const acceptedLanguages = (): string | undefined => causes.getStore()?.accepts?.();

/** Adds an object to those that the cause of the current work has changed. */
export const noteChanged = (object: ChangedObject): void => causes.getStore()?.changed?.(object);

/** Notes that the current work has begun what a failure does not undo. */
export const noteActed = (): void => causes.getStore()?.acted?.();

/** The cause of the current work. Work that waits for a batch reads it before it waits. */
export const causeNow = (): Cause => (causes.getStore() ?? SYSTEMS).cause();
