import type { Logger } from './log.ts';

/** Writes rows in batches beside the requests that they are about, so that none of those waits for it. */
export interface BatchWriter<T> {
  /** Keeps a row for the next batch; leaves it out and counts it where too many wait. */
  add(row: T): void;
  /** Writes what waits; lists call it first, so that they are complete for this process. */
  flush(): Promise<void>;
}

export interface BatchWriterOptions<T> {
  /** Names the rows in the log. */
  readonly what: string;
  /** Rows of one batch. */
  readonly batchMax: number;
  /** Rows that wait for a database that is slow or away. */
  readonly waitingMax: number;
  write(batch: readonly T[]): Promise<void>;
  /** Hears of rows that were left out. */
  dropped(count: number): void;
  readonly log: Pick<Logger, 'warn'>;
}

/** A killed process loses the rows of this time; one that is stopped gracefully writes them. */
const FLUSH_MS = 1000;

/** Batches are written one after the other: after a flush all that was added before it is stored. */
export function createBatchWriter<T>(options: BatchWriterOptions<T>): BatchWriter<T> {
  const { what, batchMax, waitingMax, log } = options;
  const waiting: T[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  };
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      try {
        await options.write(batch);
      } catch (err) {
        log.warn({ err, rows: batch.length }, `${what} are not written`);
        options.dropped(batch.length);
        return;
      }
    }
  }
  return {
    add(row) {
      if (waiting.length >= waitingMax) return options.dropped(1);
      waiting.push(row);
      // Not by an interval: a process at rest has nothing to wake up for.
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
  };
}
