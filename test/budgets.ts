import { sql } from 'kysely';
import type { Harness } from './harness.ts';

/** Spends so many units of a budget, in a window that has just begun. */
export const used = (h: Harness, subject: string, spent: number) =>
  h.db
    .insertInto('budgets')
    .values({
      subject,
      spent,
      shard: 0,
      ends_at: new Date(h.clock.now().getTime() + 900_000).toISOString(),
    })
    .onConflict((conflict) =>
      conflict.columns(['subject', 'shard']).doUpdateSet({ spent: sql`budgets.spent + ${spent}` }),
    )
    .execute();
