import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { defineJob, type JobAnswer } from '#kernel/jobs/job.ts';
import type { Jobs } from '#kernel/jobs/jobs.ts';
import type { Logger } from '#kernel/log.ts';
import { withLogFacts } from '#kernel/log-context.ts';
import { createConclusion } from './conclude.ts';
import { drive } from './drive.ts';
import {
  type AnyEffect,
  callUntilOf,
  type Effect,
  type EffectEnd,
  headStartOf,
  pausesOf,
  usuallyOf,
} from './effect.ts';
import { type EffectRow, findEffect, insertEffects, unstallEffect } from './effect-store.ts';
import {
  effectsInDoubt,
  type InDoubt,
  type OpenEffects,
  openEffects,
  type Usual,
} from './effect-upkeep.ts';
import type { DriveOptions, Follow, Intent, KnownEffects, Runner } from './runner.ts';

export interface BeginOptions {
  /** For whom: with an exclusive effect the same owner takes its own earlier attempt over at once. */
  readonly owner?: string;
  /**
   * It is not driven here: the job does that, at this time or at once. Without it the caller drives it
   * after the commit, and the job leaves them a head start.
   */
  readonly left?: { readonly at?: Date };
}

export interface Effects {
  /**
   * Writes the intent down in the transaction that decides it, with the job that follows it up. Answers
   * what `drive` takes; nothing where it was begun before.
   */
  begin(tx: Db, effect: AnyEffect, id: string, options?: BeginOptions): Promise<Intent | undefined>;
  /** Several of a kind in as few statements; answers the intents of those that were not begun before. */
  beginAll(
    tx: Db,
    effect: AnyEffect,
    ids: readonly string[],
    options?: BeginOptions,
  ): Promise<ReadonlyMap<string, Intent>>;
  /**
   * Takes it as far as it comes: calls or looks up, and books what is certain. Any number of times,
   * also at once. `unknown` leaves it open, and the job goes on.
   */
  drive<R, T, S>(
    effect: Effect<R, T, S>,
    id: string,
    options?: DriveOptions<R, S>,
  ): Promise<EffectEnd<T>>;
  /** Makes kinds known, before the jobs are opened. */
  register(effects: readonly AnyEffect[]): void;
  /** All that are known, those of flows among them. */
  kinds(): AnyEffect[];
  find(db: Db, kind: string, id: string): Promise<EffectRow | undefined>;
  /** What is in doubt, by kind. */
  stats(db: Db): Promise<OpenEffects[]>;
  /** Each open one, oldest first; up to so many. */
  inDoubt(db: Db, limit: number): Promise<InDoubt[]>;
  /** Lets the job look at it now, also where it has stalled; false where it is not open. */
  wake(tx: Db, kind: string, id: string): Promise<boolean>;
}

export interface EffectsDeps {
  readonly db: Kysely<DB>;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
}

const KEPT_MS = 90 * 24 * 3_600_000;

/** The one way to call the outside (see `Effect`). */
export function createEffects(deps: EffectsDeps): Effects {
  const runner: Runner = { ...deps, kinds: new Map() };
  return {
    async begin(tx, effect, id, options = {}) {
      return (await beginAll(runner, tx, { effect, ids: [id], options })).get(id);
    },
    beginAll: (tx, effect, ids, options = {}) => beginAll(runner, tx, { effect, ids, options }),
    drive: (effect, id, options = {}) =>
      about(effect, id, () => drive(runner, effect, id, { ...options, isInline: true })),
    register(effects) {
      const known = effects.map((effect) => knownAs(runner, effect));
      deps.jobs.register(known.map(({ job }) => job));
      for (const kind of known) runner.kinds.set(kind.effect.kind, kind);
    },
    kinds: () => [...runner.kinds.values()].map(({ effect }) => effect),
    find: (db, kind, id) => findEffect(db, { kind, id }),
    stats: (db) => openEffects(db, runner.clock.now(), usualOf(runner)),
    inDoubt: (db, limit) => effectsInDoubt(db, runner.clock.now(), usualOf(runner), limit),
    async wake(tx, kind, id) {
      if (!(await unstallEffect(tx, { kind, id }))) return false;
      await follow(runner, tx, { kind, ids: [id] });
      return true;
    },
  };
}

const usualOf = ({ kinds }: Runner): Usual[] =>
  [...kinds.values()].map(({ effect }) => ({ kind: effect.kind, usuallyMs: usuallyOf(effect) }));

/** What is said on the way, by providers too, says of which effect. */
const about = <T>({ kind }: AnyEffect, id: string, work: () => T): T =>
  withLogFacts({ effect: kind, effect_id: id }, work);

function knownAs(runner: Runner, effect: AnyEffect): KnownEffects {
  const job = defineJob<Follow>({
    name: `effect.${effect.kind}`,
    ...(effect.concurrency !== undefined && { concurrency: effect.concurrency }),
    run: ({ id }, { signal }) => lookAgain(runner, effect, id, signal),
    rows: {
      what: 'effect',
      kind: effect.kind,
      keptMs: KEPT_MS,
      follow: (tx, id) => follow(runner, tx, { kind: effect.kind, ids: [id] }),
    },
  });
  return { effect, job, conclusion: createConclusion(runner, effect, job) };
}

async function beginAll(
  runner: Runner,
  tx: Db,
  given: {
    readonly effect: AnyEffect;
    readonly ids: readonly string[];
    readonly options: BeginOptions;
  },
): Promise<Map<string, Intent>> {
  const { effect, ids, options } = given;
  const { kind, reopens = false, isExclusive = false } = effect;
  const at = runner.clock.now();
  const until = new Date(at.getTime() + headStartOf(effect));
  const isDriven = options.left === undefined;
  const attempt = randomUUID();
  const lease = isDriven && isExclusive ? { attempt, owner: options.owner, until } : undefined;
  // Counted now, so that the call that follows needs no statement of its own.
  const calls = isDriven ? 1 : 0;
  const begun = await insertEffects(tx, { kind, ids }, { at, calls, reopens, lease });
  await follow(runner, tx, { kind, ids: [...begun.keys()] }, isDriven ? until : options.left?.at);
  const callUntil = callUntilOf(effect, at);
  const intents = [...begun].map(
    ([id, beganAt]) => [id, { attempt: lease?.attempt, beganAt, callUntil }] as const,
  );
  return new Map(intents);
}

async function follow(
  runner: Runner,
  tx: Db,
  { kind, ids }: { readonly kind: string; readonly ids: readonly string[] },
  at?: Date,
): Promise<void> {
  const known = runner.kinds.get(kind);
  if (!known) throw new Error(`The effect ${kind} is not registered`);
  const wanted = ids.map((id) => ({ payload: { id }, key: id }));
  await runner.jobs.enqueueAll(tx, known.job, wanted, at);
}

/** The job: asks, and comes again after a pause as long as the effect is old. */
async function lookAgain(
  runner: Runner,
  effect: AnyEffect,
  id: string,
  signal: AbortSignal,
): JobAnswer {
  const { clock, db, log } = runner;
  const ending = await about(effect, id, () =>
    drive(runner, effect, id, { isInline: false, signal }),
  );
  if (ending.state !== 'open') return undefined;
  const row = await findEffect(db, { kind: effect.kind, id });
  if (row?.state !== 'OPEN') return undefined;
  const { firstMs, maxMs } = pausesOf(effect);
  const ageMs = clock.now().getTime() - Date.parse(row.opened_at);
  log.info({ effect: effect.kind, id, cause: ending.cause, ageMs }, 'An effect stays open');
  const pauseMs = Math.min(Math.max(ageMs, firstMs), maxMs);
  return { again: new Date(clock.now().getTime() + pauseMs) };
}
