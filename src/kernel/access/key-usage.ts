import type pg from 'pg';

/** Counts the uses of API keys, and writes them down in batches instead of once a request. */
export interface KeyUsage {
  record(key_id: number): void;
  /** Writes what has been counted; listings call it first, so that they are exact. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 5000;

export function createKeyUsage(pool: pg.Pool): KeyUsage {
  let counts = new Map<number, number>();
  // One after the other, so that after a flush all that was counted before it is stored.
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
  const write = async (): Promise<void> => {
    if (counts.size === 0) return;
    const batch = counts;
    counts = new Map();
    try {
      await pool.query(
        `update api_keys k set usage_count = k.usage_count + u.n, last_used = service_now()
           from unnest($1::int[], $2::int[]) as u(key_id, n) where k.key_id = u.key_id`,
        [[...batch.keys()], [...batch.values()]],
      );
    } catch {
      // Counts are statistics: keep them for the next round rather than failing a request.
      for (const [id, n] of batch) counts.set(id, (counts.get(id) ?? 0) + n);
    }
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    record: (key_id) => void counts.set(key_id, (counts.get(key_id) ?? 0) + 1),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
