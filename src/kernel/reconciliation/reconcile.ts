import { evaluateDue } from './conclude.ts';
import { forgetLines } from './line-store.ts';
import { keptFrom } from './pass.ts';
import type { Rail } from './rail.ts';
import type { RailRun, ReconcileDeps } from './rail-run.ts';
import { readSide } from './read-side.ts';
import { openSides } from './side-store.ts';

/** A rail that is seen for the first time is compared from so long ago. */
const FIRST_MS = 86_400_000;
/** Batches that a run forgets; the next one goes on. */
const FORGET_MAX = 50;

export interface ReconcileOptions {
  readonly signal: AbortSignal;
  /** Also reads the last days again, and those with a difference, though it is not time for that. */
  readonly again?: boolean;
}

/**
 * Compares what we booked of a rail with what its other side says, as far as both were read. Any number of
 * processes may do so at once, and any of them may die: all they know is in the database.
 */
export async function reconcileRail(
  { db, clock, log }: ReconcileDeps,
  rail: Rail,
  { signal, again = false }: ReconcileOptions,
): Promise<{ found: number; resolved: number }> {
  const nothing = { found: 0, resolved: 0 };
  if (!(await rail.isUsed(db))) return nothing;
  const now = clock.now();
  const ctx: RailRun = {
    db,
    clock,
    log,
    rail,
    upto: now,
    signal,
    again: new Set(again ? (['OURS', 'THEIRS'] as const) : []),
    done: nothing,
  };
  await openSides(db, rail.name, { since: new Date(now.getTime() - FIRST_MS), now });
  await readSide(ctx, 'OURS');
  await readSide(ctx, 'THEIRS');
  await evaluateDue(ctx, 'OURS');
  await evaluateDue(ctx, 'THEIRS');
  await forget(ctx);
  if (ctx.done.found > 0) log.error({ rail: rail.name, ...ctx.done }, 'Books differ');
  else if (ctx.done.resolved > 0) log.info({ rail: rail.name, ...ctx.done }, 'Books agree again');
  return ctx.done;
}

async function forget({ db, rail, upto, signal }: RailRun): Promise<void> {
  for (let batch = 0; batch < FORGET_MAX && !signal.aborted; batch += 1)
    if ((await forgetLines(db, rail.name, keptFrom(rail, upto))) === 0) return;
}
