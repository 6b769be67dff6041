import type { Transaction } from 'kysely';
import { type Db, runLater } from '../db/db.ts';
import type { DB } from '../db/schema.generated.ts';
import { transact } from '../transact.ts';
import { evaluate, type ReconciliationTerms } from './evaluate.ts';
import { addLines, lastOfBatch, listDue, removeRegrouped, withdrawLines } from './line-store.ts';
import { dueUntil, keptFrom } from './pass.ts';
import type { RailRun } from './rail-run.ts';
import { endPass, lockRail, moveOn, type Side, type SideName, type Stepped } from './side-store.ts';

type Sides = Record<SideName, Side>;

/** Takes over the next batch of a window that was read to its end, or ends the window. */
export const takeOverBatch = (ctx: RailRun, { side: name, pass }: Side): Stepped =>
  concluding(ctx, async (tx, sides) => {
    const side = sides[name];
    if (side.phase !== 'TAKING_OVER' || side.pass !== pass) return side;
    const weigh = evaluatorOf(ctx, tx, sides);
    const upto = await lastOfBatch(tx, side);
    if (upto !== undefined) {
      await weigh(await removeRegrouped(tx, side, upto));
      await weigh(await addLines(tx, side, { upto, keptFrom: keptFrom(ctx.rail, ctx.upto) }));
      return moveOn(tx, side, upto);
    }
    const withdrawn = await withdrawLines(tx, side);
    await weigh(withdrawn);
    return withdrawn.length === 0 ? endPass(tx, side) : side;
  });

/** Weighs the lines whose other side should have come by now. */
export async function evaluateDue(ctx: RailRun, side: SideName): Promise<void> {
  const other = side === 'OURS' ? 'THEIRS' : 'OURS';
  let after: Awaited<ReturnType<typeof listDue>>[number] | undefined;
  do {
    after = await concluding(ctx, async (tx, sides) => {
      const until = dueUntil(ctx.rail, sides[other]);
      const due = await listDue(tx, { rail: ctx.rail.name, side }, { until, after });
      await evaluatorOf(ctx, tx, sides)(due);
      return due.at(-1);
    });
  } while (after !== undefined && !ctx.signal.aborted);
}

/**
 * In a transaction of the process that holds the rail. Tables that were empty a moment ago have no statistics:
 * without this a plan may read the whole of them for every batch.
 */
const concluding = <T>(
  { db, rail }: RailRun,
  work: (tx: Transaction<DB>, sides: Sides) => Promise<T>,
): Promise<T> =>
  transact(db, async (tx) => {
    await runLater(tx, NO_SCANS, []);
    return work(tx, await lockRail(tx, rail.name));
  });

const NO_SCANS = `select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`;

function evaluatorOf(ctx: RailRun, tx: Db, sides: Sides) {
  const terms = termsOf(ctx, sides);
  return async (groups: Parameters<typeof evaluate>[2]): Promise<void> => {
    const { found, resolved } = await evaluate(tx, terms, groups);
    ctx.done.found += found;
    ctx.done.resolved += resolved;
  };
}

function termsOf({ rail, clock }: RailRun, { OURS, THEIRS }: Sides): ReconciliationTerms {
  const since = Math.max(Date.parse(OURS.since), Date.parse(THEIRS.since));
  return {
    rail: rail.name,
    toleranceUnits: rail.toleranceUnits,
    daysApart: rail.daysApart ?? 1,
    oursDue: dueUntil(rail, THEIRS),
    theirsDue: dueUntil(rail, OURS),
    from: new Date(since + rail.graceMs),
    now: clock.now(),
  };
}
