import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { inBatches } from '#kernel/db/in-batches.ts';
import { deleteEnded, deleteSpent } from './open-store.ts';

/** Longer than any flow is asked for again, and than the books are compared. */
const KEPT_MS = 90 * 24 * 3600 * 1000;
/** Deletes outputs that are spent for good, and what was signed long ago and can change nothing any more. */
export async function forgetOld(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  network: string,
): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await inBatches(() => deleteSpent(db, network));
  await inBatches(() => deleteEnded(db, network, before));
}
