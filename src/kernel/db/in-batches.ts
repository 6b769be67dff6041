/** Of a run: what is left is the next one's. */
const BATCHES_MAX = 100;

/** Repeats a statement with a limit, each time in a transaction of its own, until it finds nothing more. */
export async function inBatches(batch: () => Promise<number>): Promise<void> {
  for (let n = 0; n < BATCHES_MAX; n += 1) if ((await batch()) === 0) return;
}
