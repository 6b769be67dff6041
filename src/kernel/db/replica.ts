import type { Kysely } from 'kysely';
import type { Logger } from '../log.ts';
import { endsWithin } from '../shutdown.ts';
import { realTimers, type Timers } from '../timers.ts';
import { type OpenDatabase, openDatabase, run, runLater } from './db.ts';
import type { DB } from './schema.generated.ts';
import { isDatabaseUnavailable, sqlState } from './sql-errors.ts';

/** A server that follows the leader, to read from. */
export interface Replica {
  /** Whether the last probe found it away or silent, so that no read waits for it. */
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
  readonly timers?: Timers;
}

/** How long a reader waits for it before it asks the leader. */
const ANSWER_MS = 3000;
const STATEMENT_MS = 5000;
/** After which it is looked at again when it did not answer. */
const REST_MS = 5000;
const BEHIND = 'AR001';

/** Whether a replica has refused because it has not come so far. */
export const isBehind = (error: unknown): boolean => sqlState(error) === BEHIND;

/** Opens a pool of its own; the replica need not be there yet. */
export function openReplica(given: ReplicaOptions): Replica {
  const { url, log, timers = realTimers, ...options } = given;
  const { db, close }: OpenDatabase = openDatabase(url, {
    ...options,
    waitMs: ANSWER_MS,
    statementMs: STATEMENT_MS,
    onError: (err) => log.warn({ err }, 'connection to the replica lost'),
  });
  const ask = async () => {
    const asked = run<{ position: string | null }>(db, REPLAYED, []);
    if (!(await endsWithin(asked, ANSWER_MS))) throw new Silent();
    return (await asked)[0]?.position ?? undefined;
  };
  const rest = createRest(ask, log, timers);
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
      return rest.isNow;
    },
    async read(position, work) {
      const answer = reading(position, work);
      try {
        if (!(await endsWithin(answer, ANSWER_MS))) throw new Silent();
        return await answer;
      } catch (error) {
        if (error instanceof Silent || isDatabaseUnavailable(error)) rest.begin(error);
        throw error;
      }
    },
    position: async () => (rest.isNow ? undefined : ask().catch(() => undefined)),
    close() {
      rest.end();
      return close();
    },
  };
}

/** What is away or silent is left alone by its readers until it has answered `ask` again. */
function createRest(ask: () => Promise<unknown>, log: Logger, timers: Timers) {
  let callOff: (() => void) | undefined;
  let isOver = false;
  const wait = () => {
    callOff = timers.after(REST_MS, () => void look());
  };
  async function look(): Promise<void> {
    const isBack = await ask().then(
      () => true,
      () => false,
    );
    if (isOver) return;
    if (!isBack) return wait();
    callOff = undefined;
    log.info('the replica is there again');
  }
  return {
    get isNow() {
      return callOff !== undefined;
    },
    begin(err: unknown) {
      if (callOff !== undefined || isOver) return;
      log.warn({ err }, 'the replica is away, reading from the leader');
      wait();
    },
    end() {
      isOver = true;
      callOff?.();
    },
  };
}

const REPLAYED = 'select pg_last_wal_replay_lsn()::text as position';

class Silent extends Error {
  override message = 'The replica does not answer';
}
