import type { Kysely } from 'kysely';
import type { Auth, Caller } from '#kernel/http/declare/route.ts';
import { changeScopesOf } from '../../access/change-scopes.ts';
import { type ReadYourWrites, walPositionOf } from '../../access/read-your-writes.ts';
import { run } from '../../db/db.ts';
import { isBehind, type Replica } from '../../db/replica.ts';
import type { DB } from '../../db/schema.generated.ts';
import type { Metrics } from '../../metrics.ts';

/** Reads whose answer may be of a moment ago. */
export interface Histories {
  /**
   * Runs work that only reads, once on the replica where there is one that has seen what the caller has changed,
   * otherwise, or then again, on the leader.
   */
  read<T>(caller: Caller<Auth>, work: (db: Kysely<DB>) => Promise<T>): Promise<T>;
  /** Has what that caller has changed seen by its next reads, in whatever process. Nothing without a replica. */
  readonly changed?: (caller: Caller<Auth>) => Promise<void>;
}

export interface HistoriesDeps {
  readonly db: Kysely<DB>;
  readonly metrics: Metrics;
  /** Where a replica is configured. */
  readonly replicated?: { readonly replica: Replica; readonly fence: ReadYourWrites } | undefined;
}

/** Why a read went where it did. */
type Why = 'current' | 'changed' | 'behind' | 'away' | 'failed' | 'unknown';

/** See decision 0060. */
export function createHistories({ db, metrics, replicated }: HistoriesDeps): Histories {
  const count = metrics.counter(
    'archipay_history_reads_total',
    'Lists and histories read where a replica is configured, by where from and why',
    ['from', 'why'],
  );
  measureLag({ db, metrics, replicated });
  if (!replicated) return { read: (_caller, work) => work(db) };
  const { replica, fence } = replicated;

  async function read<T>(caller: Caller<Auth>, work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    const fromLeader = (why: Why) => {
      count({ from: 'leader', why });
      return work(db);
    };
    if (replica.isResting) return fromLeader('away');
    const needed = await fence.needed(changeScopesOf(caller).reads);
    if (needed === undefined) return fromLeader('unknown');
    try {
      const answer = await replica.read(needed.position, work);
      count({ from: 'replica', why: 'current' });
      return answer;
    } catch (error) {
      // Only the leader knows for certain that a row does not exist.
      if (isBehind(error)) return fromLeader(needed.isOwn ? 'changed' : 'behind');
      return fromLeader(replica.isResting ? 'away' : 'failed');
    }
  }
  return { read, changed: (caller) => fence.note(changeScopesOf(caller).writes) };
}

function measureLag({ db, metrics, replicated }: HistoriesDeps): void {
  metrics.gauge(
    'archipay_replica_lag_bytes',
    'Log that the replica has yet to do',
    [],
    async () => {
      const at = await replicated?.replica.position();
      if (at === undefined) return [];
      const [row] = await run<{ latest: string }>(db, LATEST, []);
      const lag = walPositionOf(row?.latest ?? at) - walPositionOf(at);
      return [{ labels: {}, value: Math.max(0, Number(lag)) }];
    },
  );
}

const LATEST = 'select pg_current_wal_insert_lsn()::text as latest';
