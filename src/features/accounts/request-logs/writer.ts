import { type BatchWriter, createBatchWriter } from '#kernel/batch-writer.ts';
import { providePartitions } from '#kernel/db/partition-store.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { insertRequestLogs, type NewRequestLog } from './store.ts';

export type RequestLogWriter = BatchWriter<NewRequestLog>;

/**
 * Writes lines of requests in batches. Requests that the rate limit refuses are one line for each caller and path in a
 * batch, so that a flood of them costs no flood of rows; the others are counted.
 */
export function createWriter({
  db,
  log,
  metrics,
}: Pick<Kernel, 'db' | 'log' | 'metrics'>): RequestLogWriter {
  const dropped = metrics.counter(
    'archipay_request_logs_dropped',
    'Lines of requests that were left out, since too many waited or were refused alike',
    [],
  );
  const provided = new Set<string>();
  const refused = new Set<string>();
  const writer = createBatchWriter<NewRequestLog>({
    what: 'request logs',
    batchMax: 1000,
    waitingMax: 20_000,
    log,
    dropped: (count) => dropped({}, count),
    async write(batch) {
      refused.clear();
      try {
        await writeBatch(db, batch, provided);
      } catch (error) {
        provided.clear();
        throw error;
      }
    },
  });
  return {
    ...writer,
    add(line) {
      if (line.status !== 429) return writer.add(line);
      const alike = `${line.key_id} ${line.user_id} ${line.method} ${line.path}`;
      if (refused.has(alike)) return dropped({});
      refused.add(alike);
      writer.add(line);
    },
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
    for (const day of missing) await providePartitions(tx, 'public.request_logs', new Date(day));
    await insertRequestLogs(tx, batch);
  });
  for (const day of missing) provided.add(day);
}
