import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { insertRequestLogs, type NewRequestLog, provideRequestLogs } from './store.ts';

export interface RequestLogWriter {
  /** Keeps a line for the next batch; leaves it out and counts it where too many wait. */
  add(line: NewRequestLog): void;
  /** Writes what waits; lists call it first, so that they are complete for this process. */
  flush(): Promise<void>;
}

/** A killed process loses the lines of this time. */
const FLUSH_MS = 1000;
const BATCH_MAX = 1000;
/** Lines that wait for a database that is slow or away. */
const WAITING_MAX = 20_000;

/** Writes lines of requests in batches beside the requests, so that none of them waits for it. */
export function createWriter(deps: Pick<Kernel, 'db' | 'log' | 'metrics'>): RequestLogWriter {
  const dropped = deps.metrics.counter(
    'archipay_request_logs_dropped',
    'Lines of requests that were left out, since too many waited',
    [],
  );
  const waiting: NewRequestLog[] = [];
  const provided = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  // One after the other, so that after a flush all that was added before it is stored.
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        await writeBatch(deps.db, batch, provided);
      } catch (err) {
        provided.clear();
        deps.log.warn({ err, lines: batch.length }, 'request logs are not written');
        dropped({}, batch.length);
        return;
      }
    }
  }
  return {
    add(line) {
      if (waiting.length >= WAITING_MAX) return dropped({});
      waiting.push(line);
      // Not by an interval: a process at rest has nothing to wake up for.
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
  };
}

/** The days of the lines have partitions first: a clock may have moved to any day. */
async function writeBatch(
  db: Kernel['db'],
  batch: readonly NewRequestLog[],
  provided: Set<string>,
): Promise<void> {
  const days = new Set(batch.map(({ at }) => at.slice(0, 10)));
  const missing = [...days].filter((day) => !provided.has(day));
  await transact(db, async (tx) => {
    for (const day of missing) await provideRequestLogs(tx, new Date(day));
    await insertRequestLogs(tx, batch);
  });
  for (const day of missing) provided.add(day);
}
