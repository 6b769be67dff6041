import { fail } from '../http/error.ts';

/** Larger batches gain little and keep the first of them waiting. */
const BATCH_MAX = 64;
/** Many seconds of work; whoever comes later had better be told than wait. */
const QUEUE_MAX = 5000;

export interface Batch<T, R> {
  /** All of them or none, in one transaction; answers in their order. */
  many(items: readonly T[]): Promise<readonly R[]>;
  /** One by itself. It must find what a batch has done whose answer got lost. */
  one(item: T): Promise<R>;
}

interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Does what is asked for while the last batch is under way as the next batch: rows that all of them
 * change are locked once, and the disk is waited for once. Nothing waits for a batch to fill. When a
 * batch fails, each of it is done by itself, so that only what is wrong fails, for its own reason.
 * Throws OVERLOADED, with nothing done, where too many wait.
 */
export function createBatcher<T, R>(ways: Batch<T, R>): (item: T) => Promise<R> {
  const queue: Waiting<T, R>[] = [];
  let working = false;

  async function work(): Promise<void> {
    // Whatever else is asked for in this turn of the event loop goes along.
    await new Promise(setImmediate);
    while (queue.length > 0) await settle(ways, queue.splice(0, BATCH_MAX));
    working = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (queue.length >= QUEUE_MAX) throw overloaded();
      queue.push({ item, resolve, reject });
      if (working) return;
      working = true;
      void work();
    });
}

async function settle<T, R>(
  { many, one }: Batch<T, R>,
  batch: readonly Waiting<T, R>[],
): Promise<void> {
  if (batch.length > 1) {
    try {
      const answers = await many(batch.map(({ item }) => item));
      if (answers.length !== batch.length) throw new Error('Not everybody was answered');
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as R);
      return;
    } catch {
      // What is wrong, and with whom, shows when each is done by itself.
    }
  }
  const alone = async (item: T) => one(item);
  await Promise.all(batch.map(({ item, resolve, reject }) => alone(item).then(resolve, reject)));
}

const overloaded = () =>
  fail('OVERLOADED', 'Too many requests are waiting, try again shortly', { retryAfter: 2 });
