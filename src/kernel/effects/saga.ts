import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { transact } from '#kernel/db/transact.ts';
import {
  defineJob,
  defineSchedule,
  type Job,
  type JobAnswer,
  type JobContext,
  LostClaim,
} from '#kernel/jobs/job.ts';
import type { Jobs } from '#kernel/jobs/jobs.ts';
import type { Logger } from '#kernel/log.ts';
import {
  type Machine,
  type Saga,
  type StepState,
  stateOf,
  type WaitState,
} from './saga-machine.ts';
import {
  findSaga,
  forgottenSagas,
  hasEvent,
  insertEvent,
  insertSaga,
  lockId,
  lockSaga,
  moveSaga,
  openStates,
  type SagaRow,
  stallSaga,
  takeEvent,
  unstallSaga,
} from './saga-store.ts';

export interface Sagas {
  /** Makes machines known, before the jobs are opened. */
  register(machines: readonly Machine[]): void;
  /** Fails when a row is in a state that this version does not know. */
  check(): Promise<void>;
  /** Starts a saga in the caller's transaction; answers false when there is one of that id. */
  start<D extends object>(tx: Db, machine: Machine<D>, id: string, data: D): Promise<boolean>;
  /**
   * Tells a saga something in the caller's transaction. It is kept until the saga waits for it, even
   * from before the saga exists; `key` (the sender's own id of the event) makes a repetition do
   * nothing, and answers false for it.
   */
  signal(tx: Db, id: string, name: string, key: string, payload: object): Promise<boolean>;
  /** Lets a stalled saga try its state again; answers false when it is not stalled. */
  resume(tx: Db, id: string): Promise<boolean>;
  find(db: Db, id: string): Promise<SagaRow | undefined>;
  /** How many unfinished sagas are in each state, and how many of them are stalled. */
  stats(db: Db): ReturnType<typeof openStates>;
}

export interface SagasDeps {
  readonly db: Kysely<DB>;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
}

/** For which version of which saga a job is; a job for an older version does nothing. */
interface Wake {
  readonly id: string;
  readonly version: number;
}

interface Kind {
  readonly machine: Machine<object>;
  readonly job: Job<Wake>;
}

interface Runner extends SagasDeps {
  readonly kinds: Map<string, Kind>;
}

/**
 * Workflows whose state is a row. One job per transition: it calls what has to be called, then
 * books the effects, moves the row, asks for the next job and ends itself in one transaction.
 */
export function createSagas(deps: SagasDeps): Sagas {
  const runner: Runner = { ...deps, kinds: new Map() };
  const sweep = defineSchedule({
    name: 'sagas.sweep',
    cron: '* * * * *',
    run: () => wakeForgotten(runner),
  });
  return {
    register(machines) {
      const kinds = machines.map((machine) => kindOf(runner, machine as Machine<object>));
      const jobs = kinds.map(({ job }) => job);
      deps.jobs.register(jobs, runner.kinds.size === 0 ? [sweep] : []);
      for (const kind of kinds) runner.kinds.set(kind.machine.type, kind);
    },
    check: () => check(runner),
    start: (tx, { type }, id, data) => start(runner, tx, { id, type, data }),
    signal: (tx, id, name, key, payload) => signal(runner, tx, [id, name, key], payload),
    async resume(tx, id) {
      const saga = await unstallSaga(tx, id);
      if (saga) await wakeUp(runner, tx, saga);
      return saga !== undefined;
    },
    find: findSaga,
    stats: openStates,
  };
}

function kindOf(runner: Runner, machine: Machine<object>): Kind {
  const job = defineJob<Wake>({
    name: `saga.${machine.type}`,
    ...(machine.attempts !== undefined && { attempts: machine.attempts }),
    ...(machine.concurrency !== undefined && { concurrency: machine.concurrency }),
    run: (wake, context) => move(runner, wake, context),
    onExhausted: (wake, context) => giveUp(runner, wake, context),
  });
  return { machine, job };
}

function kindFor({ kinds }: Runner, type: string): Kind {
  const kind = kinds.get(type);
  if (!kind) throw new Error(`There is no saga of type ${type}`);
  return kind;
}

async function check({ db, kinds }: Runner): Promise<void> {
  for (const { type, state, count } of await openStates(db)) {
    const machine = kinds.get(type)?.machine;
    if (!machine || !Object.hasOwn(machine.states, state))
      throw new Error(`${count} sagas of type ${type} are in state ${state}, which is not known`);
  }
}

async function start(
  runner: Runner,
  tx: Db,
  { id, type, data }: Pick<Saga<object>, 'id' | 'type' | 'data'>,
): Promise<boolean> {
  const { machine } = kindFor(runner, type);
  const saga = { id, type, state: machine.initial, version: 0, data };
  return transact(tx, async (own) => {
    await lockId(own, id);
    if (!(await insertSaga(own, saga))) return false;
    await enter(runner, own, saga, { to: machine.initial });
    return true;
  });
}

async function signal(
  runner: Runner,
  tx: Db,
  event: readonly [id: string, name: string, key: string],
  payload: object,
): Promise<boolean> {
  const [id, name] = event;
  return transact(tx, async (own) => {
    await lockId(own, id);
    if (!(await insertEvent(own, event, payload))) return false;
    // Whoever is about to wait for it holds the row, and will find the event; or waits already.
    const saga = await lockSaga(own, id);
    if (saga?.waiting_for === name) await wakeUp(runner, own, saga);
    return true;
  });
}

/** One step of a saga. Whatever this throws is a failed attempt. */
async function move(runner: Runner, { id, version }: Wake, context: JobContext): JobAnswer {
  const saga = await findSaga(runner.db, id);
  if (!saga || saga.version !== version || saga.finished) return undefined;
  const state = stateOf(kindFor(runner, saga.type).machine, saga.state);
  if ('final' in state) return undefined;
  return 'wait' in state
    ? decide(runner, saga, state, context)
    : step(runner, saga, state, context);
}

async function step(
  runner: Runner,
  saga: SagaRow,
  state: StepState<object>,
  context: JobContext,
): JobAnswer {
  const key = state.key?.(saga) ?? `${saga.id}:${saga.state}`;
  const { attempt, last, signal: aborted } = context;
  const result = await state.call?.(saga, { key, attempt, last, signal: aborted });
  return transact(runner.db, async (tx) => {
    if ((await lockSaga(tx, saga.id))?.version !== saga.version) return undefined;
    const patch = await state.apply?.(tx, saga, result);
    const next = { ...saga, data: { ...saga.data, ...patch } };
    const to = typeof state.next === 'string' ? state.next : state.next(next, result);
    await enter(runner, tx, next, { to });
    await context.settle(tx);
    return undefined;
  });
}

async function decide(
  runner: Runner,
  { id, version }: SagaRow,
  state: WaitState<object>,
  context: JobContext,
): JobAnswer {
  return transact(runner.db, async (tx) => {
    const saga = await lockSaga(tx, id);
    if (saga?.version !== version) return undefined;
    const event = await takeEvent(tx, saga, state.wait);
    const due = new Date(saga.due_at ?? 0);
    if (!event && due > runner.clock.now()) return { again: due };
    const patch = await state.apply?.(tx, saga, event?.payload);
    const next = { ...saga, data: { ...saga.data, ...patch } };
    const { onEvent, onTimeout } = state;
    const taken = () => (typeof onEvent === 'string' ? onEvent : onEvent(next, event?.payload));
    await enter(runner, tx, next, { to: event ? taken() : onTimeout });
    await context.settle(tx);
    return undefined;
  });
}

/** After the last attempt: the way out that the state names, or a person has to look. */
async function giveUp(
  runner: Runner,
  { id, version }: Wake,
  context: JobContext & { readonly error: string },
): JobAnswer {
  const { error } = context;
  return transact(runner.db, async (tx) => {
    const saga = await lockSaga(tx, id);
    if (!saga || saga.version !== version || saga.finished) return undefined;
    const { states } = kindFor(runner, saga.type).machine;
    const state = states[saga.state];
    if (state && 'onExhausted' in state)
      await enter(runner, tx, saga, { to: state.onExhausted, error });
    else {
      runner.log.error({ saga: id, state: saga.state, error }, 'A saga is stalled');
      await stallSaga(tx, saga, error);
    }
    await context.settle(tx);
    return undefined;
  });
}

/** Moves the saga into a state and asks for the job that goes on from there. */
async function enter(
  runner: Runner,
  tx: Db,
  from: Saga<object>,
  { to, error }: { to: string; error?: string },
): Promise<void> {
  const { clock } = runner;
  const state = stateOf(kindFor(runner, from.type).machine, to);
  const arriving = { ...from, state: to, version: from.version + 1 };
  const patch = await state.enter?.(tx, arriving);
  const saga = { ...arriving, data: { ...arriving.data, ...patch } };
  const at = clock.now();
  const wait = 'wait' in state ? state : undefined;
  const timeoutMs = typeof wait?.timeoutMs === 'function' ? wait.timeoutMs(saga) : wait?.timeoutMs;
  const dueAt = timeoutMs === undefined ? undefined : new Date(at.getTime() + timeoutMs);
  const finished = 'final' in state;
  const waitingFor = wait?.wait;
  const move = { saga, from: from.version, waitingFor, dueAt, finished, error, at };
  if (!(await moveSaga(tx, move))) throw new LostClaim(from.id);
  if (finished) return;
  const early = waitingFor !== undefined && (await hasEvent(tx, saga.id, waitingFor));
  await wakeUp(runner, tx, saga, early ? undefined : dueAt);
}

/** A wake-up has the key of its version, so that an event brings the time-out's job forward. */
async function wakeUp(
  runner: Runner,
  tx: Db,
  { id, type, version }: Saga,
  at?: Date,
): Promise<void> {
  const { job } = kindFor(runner, type);
  await runner.jobs.enqueue(
    tx,
    job,
    { id, version },
    { key: `${id}:${version}`, ...(at && { at }) },
  );
}

async function wakeForgotten(runner: Runner): Promise<void> {
  const { db, log, kinds } = runner;
  const found = await transact(db, async (tx) => {
    const forgotten = await forgottenSagas(tx, [...kinds.keys()]);
    for (const saga of forgotten) {
      const { id, due_at, waiting_for } = saga;
      const early = waiting_for !== null && (await hasEvent(tx, id, waiting_for));
      await wakeUp(runner, tx, saga, early || due_at === null ? undefined : new Date(due_at));
    }
    return forgotten.length;
  });
  if (found > 0) log.warn({ sagas: found }, 'Sagas had lost their job and were woken');
}
