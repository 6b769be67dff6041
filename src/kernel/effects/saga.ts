import type { Db } from '#kernel/db/db.ts';
import { defineJob } from '#kernel/jobs/job.ts';
import { endsWithin } from '#kernel/shutdown.ts';
import { transact } from '#kernel/transact.ts';
import { type Machine, stateOf } from './saga-machine.ts';
import {
  enter,
  goOn,
  type Kind,
  kindFor,
  type SagaRunner,
  type SagasDeps,
  stepId,
  type Wake,
  wakeUp,
} from './saga-runner.ts';
import { effectsOf, moveFlow } from './saga-steps.ts';
import {
  findSaga,
  hasEvent,
  insertEvent,
  insertSaga,
  lockId,
  lockSaga,
  openStates,
  type SagaRow,
  unstallSaga,
} from './saga-store.ts';

/** Its steps are effects, which add the version to it. */
const ID_MAX = 100;

export interface StartOptions {
  /** The caller drives it after the commit; its jobs leave it to them for so long. */
  readonly drivenForMs?: number;
}

export interface Sagas {
  /** Makes machines known, before the jobs are opened. */
  register(machines: readonly Machine[]): void;
  /** Fails when a row is in a state that this version does not know. */
  check(): Promise<void>;
  /** Starts a saga in the caller's transaction; answers false when there is one of that id. */
  start<D extends object>(
    tx: Db,
    machine: Machine<D>,
    given: { readonly id: string; readonly data: D } & StartOptions,
  ): Promise<boolean>;
  /**
   * Moves it on here and now, from step to step, until it waits for something, has ended, is in doubt,
   * or `patienceMs` is over; its jobs do the rest. Answers where it is.
   */
  drive(id: string, options: { readonly patienceMs: number }): Promise<SagaRow>;
  /**
   * Sends a saga an event in the caller's transaction. It is kept until the saga waits for it, even
   * from before the saga exists; `key` (the sender's own id of the event) makes a repetition do
   * nothing, and answers false for it.
   */
  signal(tx: Db, id: string, name: string, key: string, payload: object): Promise<boolean>;
  /**
   * Takes a saga from where it waits, or has ended, to another state in the caller's transaction, since a person has
   * decided so; answers false where it is in none of those states. Locks it.
   */
  redirect(
    tx: Db,
    id: string,
    way: { readonly from: readonly string[]; readonly to: string },
  ): Promise<boolean>;
  /** Lets a stalled saga, or its stalled step, try again; answers false when neither is. */
  resume(tx: Db, id: string): Promise<boolean>;
  find(db: Db, id: string): Promise<SagaRow | undefined>;
  /** How many unfinished sagas are in each state, and how many of them are stalled. */
  stats(db: Db): ReturnType<typeof openStates>;
}

/**
 * Workflows whose state is a row. A step that calls the outside is an effect; its end, what it means
 * and the move to the next state are one transaction, with whatever goes on from there.
 */
export function createSagas(deps: SagasDeps): Sagas {
  const runner: SagaRunner = { ...deps, kinds: new Map() };
  return {
    register(machines) {
      const kinds = machines.map((machine) => kindOf(runner, machine));
      deps.jobs.register(kinds.map(({ job }) => job));
      deps.effects.register(kinds.flatMap(({ effects }) => [...effects.values()]));
      for (const kind of kinds) runner.kinds.set(kind.machine.type, kind);
    },
    check: () => check(runner),
    start: (tx, { type }, given) => start(runner, tx, type, given),
    drive: (id, { patienceMs }) => drive(runner, id, patienceMs),
    signal: (tx, id, name, key, payload) => signal(runner, tx, [id, name, key], payload),
    redirect: (tx, id, way) => redirect(runner, tx, id, way),
    resume: (tx, id) => resume(runner, tx, id),
    find: findSaga,
    stats: openStates,
  };
}

function kindOf(runner: SagaRunner, machine: Machine<object>): Kind {
  const job = defineJob<Wake>({
    name: `saga.${machine.type}`,
    ...(machine.concurrency !== undefined && { concurrency: machine.concurrency }),
    run: (wake, context) => moveFlow(runner, wake, context.completeWithin),
    // A state that calls nothing fails only by a mistake of ours. Flows are kept for ever.
    rows: { what: 'flow', kind: machine.type, follow: (tx, id) => follow(runner, tx, id) },
  });
  return { machine, job, effects: effectsOf(() => runner, machine) };
}

async function check({ db, kinds }: SagaRunner): Promise<void> {
  for (const { type, state, count } of await openStates(db)) {
    const machine = kinds.get(type)?.machine;
    if (!machine || !Object.hasOwn(machine.states, state))
      throw new Error(`${count} sagas of type ${type} are in state ${state}, which is not known`);
  }
}

async function start(
  runner: SagaRunner,
  tx: Db,
  type: string,
  { id, data, drivenForMs }: { readonly id: string; readonly data: object } & StartOptions,
): Promise<boolean> {
  const { machine } = kindFor(runner, type);
  if (id.length > ID_MAX) throw new Error(`${id} is too long a name for a saga`);
  const drivenUntil =
    drivenForMs === undefined ? undefined : new Date(runner.clock.now().getTime() + drivenForMs);
  const saga = { id, type, state: machine.initial, version: 0, data };
  return transact(tx, async (own) => {
    await lockId(own, id);
    if (!(await insertSaga(own, saga, drivenUntil))) return false;
    const driven_until = drivenUntil?.toISOString() ?? null;
    await enter(runner, own, { ...saga, driven_until }, { to: machine.initial });
    return true;
  });
}

async function drive(runner: SagaRunner, id: string, patienceMs: number): Promise<SagaRow> {
  const { log } = runner;
  let isLate = false;
  const work = moveOn(runner, id, () => isLate);
  // What goes on behind the deadline ends its step; the rest is for the jobs.
  if (await endsWithin(work, patienceMs)) return work;
  isLate = true;
  work.catch((err) => log.warn({ err, saga: id }, 'A saga is left to its jobs'));
  return existing(runner, id);
}

async function moveOn(runner: SagaRunner, id: string, isLate: () => boolean): Promise<SagaRow> {
  for (;;) {
    const saga = await existing(runner, id);
    if (saga.finished || saga.stalled_at !== null) return saga;
    const effect = kindFor(runner, saga.type).effects.get(saga.state);
    if (effect) await runner.effects.drive(effect, stepId(saga));
    else await moveFlow(runner, saga, undefined);
    const now = await existing(runner, id);
    if (now.version === saga.version || isLate()) return now;
  }
}

async function existing({ db }: SagaRunner, id: string): Promise<SagaRow> {
  const saga = await findSaga(db, id);
  if (!saga) throw new Error(`There is no saga ${id}`);
  return saga;
}

async function signal(
  runner: SagaRunner,
  tx: Db,
  event: readonly [id: string, name: string, key: string],
  payload: object,
): Promise<boolean> {
  const [id, name] = event;
  return transact(tx, async (own) => {
    await lockId(own, id);
    if (!(await insertEvent(own, event, payload))) return false;
    // A flow that is about to wait for it holds the row, and will find the event; or waits already.
    const saga = await lockSaga(own, id);
    if (saga?.waiting_for === name) await wakeUp(runner, own, saga);
    return true;
  });
}

async function redirect(
  runner: SagaRunner,
  tx: Db,
  id: string,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
): Promise<boolean> {
  const saga = await lockSaga(tx, id);
  if (!saga || !from.includes(saga.state)) return false;
  // A step that calls may have had its effect: only what waits or has ended is left without one.
  const { machine } = kindFor(runner, saga.type);
  if (!saga.finished && !('wait' in stateOf(machine, saga.state)))
    throw new Error(`${id} cannot be taken away from ${saga.state}`);
  await enter(runner, tx, { ...saga, driven_until: null }, { to });
  return true;
}

async function resume(runner: SagaRunner, tx: Db, id: string): Promise<boolean> {
  const stalled = await unstallSaga(tx, id);
  if (stalled) await goOn(runner, tx, stalled);
  return stalled ? true : resumeStep(runner, tx, id);
}

/** A step that calls stalls as its effect. */
async function resumeStep(runner: SagaRunner, tx: Db, id: string): Promise<boolean> {
  const { effects } = runner;
  const saga = await findSaga(tx, id);
  const step = saga && kindFor(runner, saga.type).effects.get(saga.state);
  if (!saga || !step) return false;
  const found = await effects.find(tx, step.kind, stepId(saga));
  return found?.stalled_at ? effects.wake(tx, step.kind, stepId(saga)) : false;
}

/** Asks again for what moves it on, at the time for which it waits. */
async function follow(runner: SagaRunner, tx: Db, id: string): Promise<void> {
  const saga = await lockSaga(tx, id);
  if (!saga || saga.finished || saga.stalled_at !== null) return;
  const { due_at, waiting_for } = saga;
  const isEarly = waiting_for !== null && (await hasEvent(tx, id, waiting_for));
  await goOn(runner, tx, saga, isEarly || due_at === null ? undefined : new Date(due_at));
}
