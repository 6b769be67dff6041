import { AsyncLocalStorage } from 'node:async_hooks';

/** What led to something: which request of whom. Jobs and schedules are the system's. */
export interface Cause {
  readonly request_id: string | null;
  readonly idempotency_key: string | null;
  /** `user:3`, `key:7`, `userx:5`, `anyone` or `system`. */
  readonly actor: string;
  /** Names the operation, the same for every attempt under one `Idempotency-Key`. */
  readonly operation: string | null;
}

const SYSTEM: Cause = {
  request_id: null,
  idempotency_key: null,
  actor: 'system',
  operation: null,
};
const ofSystem = () => SYSTEM;

/** A function, since most requests are never asked. */
const causes = new AsyncLocalStorage<() => Cause>();

/** Does work that a request has caused, so that nothing in between has to hand on which. */
export const causedBy = <T>(cause: () => Cause, work: () => T): T => causes.run(cause, work);

/** Does work of its own, or of several: what began it did not cause all of it. */
export const uncaused = <T>(work: () => T): T => causes.run(ofSystem, work);

/** What is under way here. Work that waits for a batch keeps what it has read before it waits. */
export const causeNow = (): Cause => (causes.getStore() ?? ofSystem)();
