import { noteActed, uncaused } from './cause.ts';
import { isDatabaseUnavailable } from './db/sql-errors.ts';
import { dryRunNow } from './dry-run.ts';
import { fail } from './error.ts';

/** Larger batches gain little and keep the first of them waiting. */
const BATCH_MAX = 64;
/** Many seconds of work; later callers are refused instead of waiting for it. */
const QUEUE_MAX = 5000;

export interface Batch<T, R> {
  /**
   * The answers, in the items' order; an `Error` among them is the answer to that item alone. When it
   * throws, nothing may have been done, or all of it with the answer lost.
   */
  many(items: readonly T[]): Promise<readonly (R | Error)[]>;
  /**
   * One by itself; without it, a batch of one. It must find what a batch has done whose answer got
   * lost, which `many` may refuse.
   */
  one?(item: T): Promise<R>;
  readonly max?: number;
  readonly queueMax?: number;
  /** How many batches may be in flight; one, where all of them would wait for the same rows. */
  readonly atOnce?: number;
}

interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Does what is asked for while a batch is under way as the next batch, in the order it was asked for:
 * rows that all of them change are locked once, and the disk is waited for once. Nothing waits for a
 * batch to fill. When a batch fails, its halves are done by themselves, and theirs, so that only what is
 * wrong fails, for its own reason, and the others need not all be done alone; but once a half finds the
 * database away, all that wait fail with it, since each of them would only wait for that again.
 * Throws OVERLOADED, with nothing done, where too many wait.
 */
export function createBatcher<T, R>(ways: Batch<T, R>): (item: T) => Promise<R> {
  const { max = BATCH_MAX, queueMax = QUEUE_MAX, atOnce = 1 } = ways;
  const queue: Waiting<T, R>[] = [];
  let underWay = 0;
  let isCalled = false;

  /** What else is asked for in this turn of the event loop joins the batch. */
  function callNext(): void {
    if (isCalled || queue.length === 0 || underWay >= atOnce) return;
    isCalled = true;
    // Who asked first has not caused what the others ask for.
    uncaused(() => setImmediate(begin));
  }

  function begin(): void {
    isCalled = false;
    while (queue.length > 0 && underWay < atOnce) {
      underWay += 1;
      void runBatch(ways, queue.splice(0, max), queue).finally(() => {
        underWay -= 1;
        callNext();
      });
    }
  }

  return (item) =>
    dryRunNow()
      ? alone(ways, item)
      : new Promise((resolve, reject) => {
          if (queue.length >= queueMax) throw overloaded();
          queue.push({ item, resolve, reject });
          noteActed();
          callNext();
        });
}

/** In a dry run, which shares no transaction with others. */
async function alone<T, R>({ many, one }: Batch<T, R>, item: T): Promise<R> {
  const [answer] = one ? [await one(item)] : await many([item]);
  if (answer instanceof Error) throw answer;
  return answer as R;
}

async function runBatch<T, R>(
  ways: Batch<T, R>,
  batch: readonly Waiting<T, R>[],
  behind: Waiting<T, R>[],
): Promise<void> {
  const parts = [batch];
  for (let part = parts.shift(); part; part = parts.shift()) {
    try {
      await runPart(ways, part);
    } catch (error) {
      // Of the batch itself it may have been the connection only; this is the second to find that.
      const isAway = part !== batch && isDatabaseUnavailable(error);
      if (part.length > 1 && !isAway) parts.unshift(...halvesOf(part));
      else for (const { reject } of part) reject(error);
      if (!isAway) continue;
      for (const { reject } of [...parts.splice(0).flat(), ...behind.splice(0)]) reject(error);
    }
  }
}

async function runPart<T, R>(
  { many, one }: Batch<T, R>,
  part: readonly Waiting<T, R>[],
): Promise<void> {
  const items = part.map(({ item }) => item);
  const [first] = items;
  const isAlone = one && first !== undefined && items.length === 1;
  const answers = isAlone ? [await one(first)] : await many(items);
  if (answers.length !== items.length) throw new Error('Not every item was answered');
  for (const [i, waiting] of part.entries()) answer(waiting, answers[i] as R | Error);
}

const halvesOf = <T>(part: readonly T[]): readonly T[][] => {
  const middle = Math.floor(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)];
};

function answer<T, R>({ resolve, reject }: Waiting<T, R>, result: R | Error): void {
  if (result instanceof Error) reject(result);
  else resolve(result);
}

const overloaded = () =>
  fail('OVERLOADED', 'Too many requests are waiting, try again shortly', {
    retryAfter: 2,
    outcome: 'not-begun',
  });
