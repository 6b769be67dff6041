import type pg from 'pg';

/** Counts the uses of API keys and keeps the last caller, and writes them down in batches instead of once a request. */
export interface KeyUsage {
  /** One use, from that address. */
  record(key_id: number, ip: string): void;
  /** Writes what has been counted; listings call it first, so that they are exact. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 5000;

interface Uses {
  n: number;
  /** Of the last one. */
  ip: string;
}

export function createKeyUsage(pool: pg.Pool): KeyUsage {
  let counts = new Map<number, Uses>();
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
    const used = [...batch.values()];
    try {
      await pool.query(
        `update api_keys k set usage_count = k.usage_count + u.n, last_used = service_now(), last_ip = u.ip
           from unnest($1::int[], $2::int[], $3::text[]) as u(key_id, n, ip) where k.key_id = u.key_id`,
        [[...batch.keys()], used.map(({ n }) => n), used.map(({ ip }) => ip)],
      );
    } catch {
      // Counts are statistics: keep them for the next round rather than failing a request.
      for (const [id, { n, ip }] of batch) add(id, n, counts.get(id)?.ip ?? ip);
    }
  };
  const add = (key_id: number, n: number, ip: string): void => {
    const known = counts.get(key_id);
    if (known) {
      known.n += n;
      known.ip = ip;
    } else counts.set(key_id, { n, ip });
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    record: (key_id, ip) => add(key_id, 1, ip),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
