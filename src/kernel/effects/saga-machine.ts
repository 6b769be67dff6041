import type { Db } from '#kernel/db/db.ts';
import type { Outcome, Refusal } from './outcome.ts';

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
  /** A caller waits for it. */
  readonly isInline: boolean;
  readonly signal: AbortSignal | undefined;
}

export type Patch<D> = Promise<Partial<D> | undefined>;

interface Entered<D> {
  /** In the transaction that enters the state. What it answers is merged into the data. */
  enter?(tx: Db, saga: Saga<D>): Patch<D>;
}

// Written as methods, so that the runner takes states whose results and events it does not know.
type Choose<D, I, N> = { choose(saga: Saga<D>, input: I): N }['choose'];
type ChooseWay<D, N> = { choose(saga: Saga<D>, why: Refusal): N }['choose'];
type Delay<D> = { delay(saga: Saga<D>): number }['delay'];

/**
 * Does something: `call` outside any transaction, then `apply` and the move in one. A call is an
 * effect (see `Effect`): one without an answer stays open, is counted, and never takes a way that is
 * meant for a failure. What a later failure has to undo is a state of its own. `R` is what the call answers, `N` the
 * names of the states to which it leads.
 */
export interface StepState<D, R = unknown, N extends string = string> extends Entered<D> {
  call?(saga: Saga<D>, context: CallContext): Promise<Outcome<R>>;
  /** What became of the call, by its key; `done(undefined)` when it was never seen there. */
  lookUp?(saga: Saga<D>, context: CallContext): Promise<Outcome<NoInfer<R> | undefined>>;
  /** False where the provider does not know a call again by its key. Then it is only looked up. */
  readonly repeatable?: boolean;
  /** After which a call that was never seen there counts as refused. */
  readonly unseen?: { readonly forMs: number; readonly code: string };
  /** How long the job waits between two looks: as long as the call is old, within these. */
  readonly pauses?: { readonly firstMs: number; readonly maxMs: number };
  /** How many of these calls one process makes at a time. */
  readonly concurrency?: number;
  /** A business key for a call that may be made again on purpose, such as a second payout. */
  key?(saga: Saga<D>): string;
  /** `result` is what the call was answered. What it answers is merged into the data. */
  apply?(tx: Db, saga: Saga<D>, result: NoInfer<R>): Patch<D>;
  /** A function is asked after `apply`, with the merged data. */
  readonly next: N | Choose<D, NoInfer<R>, N>;
  /** Where to go when the call was refused for certain. What calls must name it. */
  readonly onRefused?: N | ChooseWay<D, N>;
}

/** Waits for an event `E`. One that came early counts, and always wins against the time-out. */
export interface WaitState<D, E = unknown, N extends string = string> extends Entered<D> {
  /** The event's name. */
  readonly wait: string;
  readonly timeoutMs: number | Delay<D>;
  readonly onEvent: N | Choose<D, E, N>;
  readonly onTimeout: N;
  /** `event` is its payload, or undefined after the time-out. */
  apply?(tx: Db, saga: Saga<D>, event: E | undefined): Patch<D>;
}

export interface FinalState<D> extends Entered<D> {
  readonly final: true;
}

export type State<D> = StepState<D> | WaitState<D> | FinalState<D>;

/** A state that leads only to states of these names. */
export type StateTo<D, N extends string> = State<D> & { readonly to?: N };

type TargetOf<S> = S extends { readonly to?: infer N } ? Exclude<N, undefined> : never;

/** Does not compile where a state leads to a name that no state has. */
type Closed<S> = [TargetOf<S[keyof S]>] extends [keyof S]
  ? unknown
  : { readonly noState: Exclude<TargetOf<S[keyof S]>, keyof S> };

/** Every state of a kind of workflow. A state may only be removed when no row is in it any more. */
export interface Machine<D = unknown> {
  readonly type: string;
  readonly initial: string;
  readonly states: Readonly<Record<string, State<D>>>;
  /** How many sagas of the kind one process moves at a time. */
  readonly concurrency?: number;
}

/** What a machine over data `D` is made of: the types of results and the names of states are inferred from what is written. */
export const machineOf = <D extends object>() => ({
  step: <R, const N extends string>(state: StepState<D, R, N>): StateTo<D, N> =>
    state as StepState<D> as StateTo<D, N>,
  wait: <E, const N extends string>(state: WaitState<D, E, N>): StateTo<D, N> =>
    state as WaitState<D> as StateTo<D, N>,
  final: (enter?: FinalState<D>['enter']): StateTo<D, never> => ({
    final: true,
    ...(enter && { enter }),
  }),
  machine: <S extends Readonly<Record<string, StateTo<D, string>>>>(
    given: Omit<Machine<D>, 'initial' | 'states'> & {
      readonly initial: keyof S & string;
      readonly states: S & Closed<S>;
    },
  ): Machine<D> => defineMachine<D>(given),
});

/** Checks that every transition that is written down leads somewhere. */
export function defineMachine<D extends object>(machine: Machine<D>): Machine<D> {
  const { type, initial, states } = machine;
  const targets = [initial, ...Object.values(states).flatMap(targetsOf)];
  const missing = targets.find((target) => !Object.hasOwn(states, target));
  if (missing !== undefined) throw new Error(`The saga ${type} has no state ${missing}`);
  for (const [name, state] of Object.entries(states))
    if ('call' in state && state.onRefused === undefined)
      throw new Error(`The saga ${type} does not say what follows when ${name} is refused`);
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
    'wait' in state ? [state.onEvent, state.onTimeout] : [state.next, state.onRefused];
  return targets.filter((target) => typeof target === 'string');
}
