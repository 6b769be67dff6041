import type { Db } from '#kernel/db/db.ts';

/** A workflow's row. `data` is JSON and belongs to the machine. */
export interface Saga<D = unknown> {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly version: number;
  readonly data: D;
}

/** What a call to the outside gets along. */
export interface CallContext {
  /**
   * The provider's idempotency key. `<saga>:<state>` unless the state names another: the same in
   * every attempt and every time the state is entered, so that nothing is paid twice.
   */
  readonly key: string;
  readonly attempt: number;
  /** No other try follows when this one fails. */
  readonly last: boolean;
  readonly signal: AbortSignal;
}

export type Patch<D> = Promise<Partial<D> | undefined>;

interface Entered<D> {
  /** In the transaction that enters the state. What it answers is merged into the data. */
  enter?(tx: Db, saga: Saga<D>): Patch<D>;
}

// Written as methods, so that a machine may name the result or event that it knows it gets.
type Choose<D> = { choose(saga: Saga<D>, input: unknown): string }['choose'];
type Delay<D> = { delay(saga: Saga<D>): number }['delay'];

/** Does something: `call` outside any transaction, then `apply` and the move in one. */
export interface StepState<D> extends Entered<D> {
  call?(saga: Saga<D>, context: CallContext): Promise<unknown>;
  /** A business key for a call that may be made anew on purpose, such as a second payout. */
  key?(saga: Saga<D>): string;
  /** `result` is what `call` answered. What it answers is merged into the data. */
  apply?(tx: Db, saga: Saga<D>, result: unknown): Patch<D>;
  /** A function is asked after `apply`, with the merged data. */
  readonly next: string | Choose<D>;
  /** Where to go when every attempt has failed. An unanswered payment belongs in front of a person. */
  readonly onExhausted: string;
}

/** Waits for an event. One that came early counts, and always wins against the time-out. */
export interface WaitState<D> extends Entered<D> {
  /** The event's name. */
  readonly wait: string;
  readonly timeoutMs: number | Delay<D>;
  readonly onEvent: string | Choose<D>;
  readonly onTimeout: string;
  /** `event` is its payload, or undefined after the time-out. */
  apply?(tx: Db, saga: Saga<D>, event: unknown): Patch<D>;
}

export interface FinalState<D> extends Entered<D> {
  readonly final: true;
}

export type State<D> = StepState<D> | WaitState<D> | FinalState<D>;

/** Every state of a kind of workflow. A state may only be removed when no row is in it any more. */
export interface Machine<D = unknown> {
  readonly type: string;
  readonly initial: string;
  readonly states: Readonly<Record<string, State<D>>>;
  /** Tries of each step, and how many sagas of the kind one process moves at a time. */
  readonly attempts?: number;
  readonly concurrency?: number;
}

/** Checks that every transition that is written down leads somewhere. */
export function defineMachine<D extends object>(machine: Machine<D>): Machine<D> {
  const { type, initial, states } = machine;
  const targets = [initial, ...Object.values(states).flatMap(targetsOf)];
  const missing = targets.find((target) => !Object.hasOwn(states, target));
  if (missing !== undefined) throw new Error(`The saga ${type} has no state ${missing}`);
  return machine;
}

/** The state of that name. */
export function stateOf<D>({ type, states }: Machine<D>, name: string): State<D> {
  const state = Object.hasOwn(states, name) ? states[name] : undefined;
  if (!state) throw new Error(`The saga ${type} has no state ${name}`);
  return state;
}

function targetsOf<D>(state: State<D>): string[] {
  if ('final' in state) return [];
  const targets =
    'wait' in state ? [state.onEvent, state.onTimeout] : [state.next, state.onExhausted];
  return targets.filter((target) => typeof target === 'string');
}
