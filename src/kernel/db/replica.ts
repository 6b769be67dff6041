import type { Kysely } from 'kysely';
import { monotonicMs } from '../clock.ts';
import { inTime } from '../ending.ts';
import type { Logger } from '../log.ts';
import { type OpenDatabase, openDatabase, run, runLater } from './db.ts';
import type { DB } from './schema.generated.ts';
import { isDatabaseUnavailable, sqlState } from './transact.ts';

/** A server that follows the leader, to read from. */
export interface Replica {
  /** Whether it was away or silent a moment ago, so that nobody waits for it. */
  readonly isResting: boolean;
  /** Reads from it, where it has come to that position of the leader's log; throws otherwise. */
  read<T>(position: string, work: (db: Kysely<DB>) => Promise<T>): Promise<T>;
  /** How far it has come; nothing while it does not answer. */
  position(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  readonly url: string;
  readonly max: number;
  readonly prepared?: boolean;
  readonly pooled: boolean;
  readonly log: Logger;
}

/** How long a reader waits for it before it asks the leader. */
const ANSWER_MS = 3000;
const STATEMENT_MS = 5000;
/** For which it is left alone when it did not answer. */
const REST_MS = 5000;
const BEHIND = 'AR001';

/** Whether a replica has refused because it has not come so far. */
export const isBehind = (error: unknown): boolean => sqlState(error) === BEHIND;

/** Opens a pool of its own; the replica need not be there yet. */
export function openReplica({ url, log, ...options }: ReplicaOptions): Replica {
  const { db, close }: OpenDatabase = openDatabase(url, {
    ...options,
    waitMs: ANSWER_MS,
    statementMs: STATEMENT_MS,
    onError: (err) => log.warn({ err }, 'connection to the replica lost'),
  });
  let restUntil = 0;
  const rest = (err: unknown) => {
    if (monotonicMs() > restUntil)
      log.warn({ err }, 'the replica is away, reading from the leader');
    restUntil = monotonicMs() + REST_MS;
  };
  /** One transaction, since each connection may lead to another of several replicas. */
  const reading = <T>(position: string, work: (db: Kysely<DB>) => Promise<T>) =>
    db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        await runLater(tx, 'select require_replayed($1::pg_lsn)', [position]);
        return work(tx);
      });
  return {
    get isResting() {
      return monotonicMs() < restUntil;
    },
    async read(position, work) {
      const answer = reading(position, work);
      try {
        if (!(await inTime(answer, ANSWER_MS))) throw new Silent();
        return await answer;
      } catch (error) {
        if (error instanceof Silent || isDatabaseUnavailable(error)) rest(error);
        throw error;
      }
    },
    async position() {
      const asked = run<{ position: string | null }>(db, REPLAYED, []);
      const is = await inTime(asked, ANSWER_MS).catch(() => false);
      return is ? ((await asked)[0]?.position ?? undefined) : undefined;
    },
    close,
  };
}

const REPLAYED = 'select pg_last_wal_replay_lsn()::text as position';

class Silent extends Error {
  override message = 'The replica does not answer';
}
