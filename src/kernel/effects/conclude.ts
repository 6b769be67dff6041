import { createBatcher } from '#kernel/db/batcher.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { AnyEffect, Settled } from './effect.ts';
import { type End, endEffects, type Opening, type Step } from './effect-store.ts';
import type { Conclusion, Follow, Runner } from './runner.ts';

interface Item {
  readonly opening: Opening;
  readonly settled: Settled<unknown, unknown>;
  readonly steps: readonly Step[];
}

type Deps = Pick<Runner, 'db' | 'clock' | 'jobs'>;

export function createConclusion(deps: Deps, effect: AnyEffect, job: Job<Follow>): Conclusion {
  const { db } = deps;
  const endAs = async (tx: Db, state: 'SETTLED' | 'REFUSED', ends: readonly End[]) => {
    const ended = await endEffects(tx, state, ends, deps.clock.now());
    // Its job would find nothing to do.
    if (ended.length > 0) await deps.jobs.dismiss(tx, job, ended);
    return ended.length;
  };
  const endOf = ({ opening, steps }: Item): End => ({ ...opening, steps });

  const one = (item: Item): Promise<boolean> =>
    transact(db, async (tx) => {
      if ((await endAs(tx, 'SETTLED', [endOf(item)])) === 0) return false;
      await effect.settle(tx, item.settled.row, item.settled.value);
      return true;
    });

  const batched = createBatcher<Item, boolean>({
    many: (items) =>
      transact(db, async (tx) => {
        const ended = await endAs(tx, 'SETTLED', items.map(endOf));
        // Which of them had ended before shows when each is done by itself.
        if (ended !== items.length) throw new Error('Not all of them were open');
        await effect.settleAll?.(
          tx,
          items.map(({ settled }) => settled),
        );
        return items.map(() => true);
      }),
    one,
  });

  return {
    settle(opening, settled, steps) {
      const item = { opening, settled, steps };
      return effect.settleAll ? batched(item) : one(item);
    },
    refuse: (opening, row, why, { attempt, steps }) =>
      transact(db, async (tx) => {
        const end = { ...opening, attempt, why, steps };
        if ((await endAs(tx, 'REFUSED', [end])) === 0) return false;
        if ((await effect.refuse(tx, row, why)) === false) throw new MayStillHappen();
        return true;
      }).catch((error: unknown) => {
        if (error instanceof MayStillHappen) return false;
        throw error;
      }),
    abandon: (opening, why) =>
      transact(db, async (tx) => {
        const end = { ...opening, why, steps: [] };
        return (await endAs(tx, 'REFUSED', [end])) > 0;
      }),
  };
}

/** Undoes the transaction that was about to end it. */
class MayStillHappen extends Error {}
