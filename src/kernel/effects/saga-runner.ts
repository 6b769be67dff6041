import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { type Job, LostClaim } from '#kernel/jobs/job.ts';
import type { Jobs } from '#kernel/jobs/jobs.ts';
import type { Logger } from '#kernel/log.ts';
import type { AnyEffect } from './effect.ts';
import type { Effects } from './effects.ts';
import { type Machine, type Saga, stateOf } from './saga-machine.ts';
import { hasEvent, moveSaga } from './saga-store.ts';

export interface SagasDeps {
  readonly db: Kysely<DB>;
  readonly jobs: Jobs;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly log: Logger;
}

/** For which version of which saga a job is; a job for an older version does nothing. */
export interface Wake {
  readonly id: string;
  readonly version: number;
}

export interface Kind {
  readonly machine: Machine<object>;
  /** Moves it on from states that call nothing. */
  readonly job: Job<Wake>;
  /** Those that call something are an effect each. */
  readonly effects: ReadonlyMap<string, AnyEffect>;
}

export interface SagaRunner extends SagasDeps {
  readonly kinds: Map<string, Kind>;
}

export function kindFor({ kinds }: SagaRunner, type: string): Kind {
  const kind = kinds.get(type);
  if (!kind) throw new Error(`There is no saga of type ${type}`);
  return kind;
}

/** What a step's effect is called: the saga in the version in which it is there. */
export const stepId = ({ id, version }: Pick<Saga, 'id' | 'version'>): string => `${id}:${version}`;

/** A saga on its way, and until when its request moves it on by itself. */
export interface MovingSaga extends Saga<object> {
  readonly driven_until: string | null;
}

/** Moves the saga into a state and sees to it that it goes on from there. */
export async function enter(
  runner: SagaRunner,
  tx: Db,
  from: MovingSaga,
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
  // The driver stops where the flow waits: what happens then is for the jobs, and at once.
  const next = wait ? { ...saga, driven_until: null } : saga;
  await goOn(runner, tx, next, early ? undefined : dueAt);
}

/** Asks for what moves the saga on from where it is: the effect of its step, or its job. */
export async function goOn(runner: SagaRunner, tx: Db, saga: MovingSaga, at?: Date): Promise<void> {
  const { effects } = kindFor(runner, saga.type);
  const effect = effects.get(saga.state);
  // The request drives it itself; the job is there for when the request ends too early.
  const later = at ?? (saga.driven_until === null ? undefined : new Date(saga.driven_until));
  const left = later === undefined ? {} : { at: later };
  if (effect) await runner.effects.begin(tx, effect, stepId(saga), { left });
  else await wakeUp(runner, tx, saga, later);
}

/** A wake-up has the key of its version, so that an event brings the time-out's job forward. */
export async function wakeUp(
  runner: SagaRunner,
  tx: Db,
  { id, type, version }: Saga,
  at?: Date,
): Promise<void> {
  const { job } = kindFor(runner, type);
  const key = `${id}:${version}`;
  await runner.jobs.enqueue(tx, job, { id, version }, { key, ...(at && { at }) });
}
