import { createBatcher } from '#kernel/batcher.ts';
import { causeNow } from '#kernel/cause.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Job } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { AnyEffect, Settled } from './effect.ts';
import { type End, endEffects, type NewEffect, type Step } from './effect-store.ts';
import type { Conclusion, Follow, Runner } from './runner.ts';

interface Item {
  readonly opening: NewEffect;
  readonly settled: Settled<unknown, unknown>;
  readonly steps: readonly Step[];
}

type Deps = Pick<Runner, 'db' | 'clock' | 'jobs'>;

export function createConclusion(deps: Deps, effect: AnyEffect, job: Job<Follow>): Conclusion {
  const { db } = deps;
  const endAs: EndAs = async (tx, state, ends) => {
    const ended = await endEffects(tx, state, ends, deps.clock.now());
    // Its job would find nothing to do.
    if (ended.length > 0) await deps.jobs.dismiss(tx, job, ended);
    return ended.length;
  };
  const one = (item: Item) => settleOne(deps, effect, endAs, item);
  const batched = createBatcher<Item, boolean>({
    many: (items) => settleMany(deps, effect, endAs, items),
    one,
  });
  return {
    settle(opening, settled, steps) {
      const item = { opening, settled: { ...settled, cause: causeNow() }, steps };
      return effect.settleAll ? batched(item) : one(item);
    },
    refuse: (opening, row, why, by) =>
      transact(db, async (tx) => {
        if ((await endAs(tx, 'REFUSED', [{ ...opening, ...by, why }])) === 0) return false;
        if ((await effect.refuse(tx, row, why)) === false) throw new MayStillHappen();
        return true;
      }).catch((error: unknown) => {
        if (error instanceof MayStillHappen) return false;
        throw error;
      }),
    abandon: (opening, why) =>
      transact(
        db,
        async (tx) => (await endAs(tx, 'REFUSED', [{ ...opening, why, steps: [] }])) > 0,
      ),
  };
}

/** Ends those that are open; answers how many were. */
type EndAs = (tx: Db, state: 'SETTLED' | 'REFUSED', ends: readonly End[]) => Promise<number>;

const settleOne = ({ db }: Deps, effect: AnyEffect, endAs: EndAs, item: Item) =>
  transact(db, async (tx) => {
    const { opening, steps, settled } = item;
    if ((await endAs(tx, 'SETTLED', [{ ...opening, steps }])) === 0) return false;
    await effect.settle(tx, settled.row, settled.value);
    return true;
  });

const settleMany = ({ db }: Deps, effect: AnyEffect, endAs: EndAs, items: readonly Item[]) =>
  transact(db, async (tx) => {
    const ends = items.map(({ opening, steps }) => ({ ...opening, steps }));
    // Which of them had ended before shows when each is done by itself.
    if ((await endAs(tx, 'SETTLED', ends)) !== items.length)
      throw new Error('Not all of them were open');
    await effect.settleAll?.(
      tx,
      items.map(({ settled }) => settled),
    );
    return items.map(() => true);
  });

/** Undoes the transaction that was about to end it. */
class MayStillHappen extends Error {}
