import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from '../db/client.ts';
import { isDatabaseAway, sqlState } from '../db/transact.ts';
import { fail } from '../http/error.ts';
import {
  decode,
  encode,
  outcome,
  POST_SQL,
  type PostRow,
  type Prepared,
  prepare,
} from './batch.ts';
import type { Operation, Posted, Status } from './ledger.ts';

/** Larger batches gain nothing and keep the first of them waiting. */
const BATCH_MAX = 256;
const QUEUE_MAX = 20_000;
/** A collision on a key, or a deadlock with postings outside the engine: the next try sees them. */
const COLLISIONS = new Set(['23505', '40P01', '40001']);
const COLLISION_TRIES = 5;
/** In which a database that restarts or fails over may come back. */
const PATIENCE_MS = 15_000;
const PAUSE_MAX_MS = 500;
const QUERY_TIMEOUT_MS = 30_000;

export interface LedgerEngine {
  /** Answers when the posting is on disk. A key that was posted before answers `duplicate`. */
  post(operation: Operation): Promise<Posted>;
  /** Takes no more, posts what is queued, and lets go of the connection. */
  close(): Promise<void>;
}

type Source = { readonly connectionString: string } | { readonly pool: pg.Pool };

export type EngineOptions = Source & {
  /** How long a batch is tried again while the database is away. Beyond, the outcome is unknown. */
  readonly patienceMs?: number;
  /** Off where something in between does not keep prepared statements. */
  readonly prepared?: boolean;
};

interface Waiting {
  readonly prepared: Prepared;
  readonly operation: Operation;
  resolve(posted: Posted): void;
  reject(error: unknown): void;
}

/**
 * Posts what arrives while the last batch is under way as the next batch: one statement, one commit
 * and one flush to disk for up to 256 operations. Nothing waits for a batch to fill.
 */
export function createLedgerEngine(options: EngineOptions): LedgerEngine {
  const connection = connectionTo(options);
  const { patienceMs = PATIENCE_MS } = options;
  const queue: Waiting[] = [];
  let working: Promise<void> | undefined;
  let closed = false;

  function post(operation: Operation): Promise<Posted> {
    return new Promise((resolve, reject) => {
      if (closed) throw new Error('The ledger engine is closed');
      if (queue.length >= QUEUE_MAX) throw fail('OVERLOADED', 'Too many postings are waiting');
      queue.push({ prepared: prepare(operation), operation, resolve, reject });
      working ??= work();
    });
  }

  async function work(): Promise<void> {
    // Whatever else was asked for in this turn of the event loop goes into the first batch.
    await new Promise(setImmediate);
    while (queue.length > 0) await settle(queue.splice(0, BATCH_MAX));
    working = undefined;
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await send(connection, batch, patienceMs);
      for (const [i, waiting] of batch.entries()) answer(waiting, answers[i]);
    } catch (error) {
      if (isUnreachable(error)) {
        // Who waits behind them has waited as long; another round of patience helps nobody.
        for (const { reject } of [...batch, ...queue.splice(0)]) reject(error);
      } else if (batch.length === 1) {
        batch[0]?.reject(error);
      } else {
        // One of them cannot be posted; alone, each gets its own answer and only that one fails.
        for (const waiting of batch) await settle([waiting]);
      }
    }
  }

  async function close(): Promise<void> {
    closed = true;
    await working;
    await connection.close();
  }

  return { post, close };
}

function answer(waiting: Waiting, status: [Status, number] | undefined): void {
  try {
    waiting.resolve(outcome(waiting.operation.key, status ?? ['malformed', Number.NaN]));
  } catch (error) {
    waiting.reject(error);
  }
}

/** Safe to repeat after any failure, because what was posted is known by its key. */
async function send(
  connection: Connection,
  batch: readonly Waiting[],
  patienceMs: number,
): Promise<[Status, number][]> {
  const values = encode(batch.map(({ prepared }) => prepared));
  let collisions = 0;
  let pauseMs = 25;
  let lostAt: number | undefined;
  for (;;) {
    try {
      return decode(await connection.post(values));
    } catch (error) {
      if (COLLISIONS.has(sqlState(error) ?? '') && collisions < COLLISION_TRIES) {
        collisions += 1;
      } else if (isConnectionLoss(error)) {
        connection.drop();
        lostAt ??= performance.now();
        if (performance.now() - lostAt > patienceMs) {
          throw fail('OVERLOADED', 'The ledger cannot be reached', { cause: error });
        }
        await delay(pauseMs);
        pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
      } else throw error;
    }
  }
}

const isUnreachable = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'OVERLOADED';

/** The server is away; or the driver failed before an answer came. */
const isConnectionLoss = (error: unknown): boolean =>
  sqlState(error) === undefined || isDatabaseAway(error);

interface Connection {
  post(values: string[]): Promise<PostRow>;
  /** The next posting opens another one. */
  drop(): void;
  close(): Promise<void>;
}

function connectionTo(options: EngineOptions): Connection {
  let open: { client: pg.ClientBase; end(lost: boolean): Promise<void> } | undefined;
  const drop = () => {
    // It is lost already or in an unknown state; how its end goes is of no interest.
    open?.end(true).catch(() => undefined);
    open = undefined;
  };
  async function client(): Promise<pg.ClientBase> {
    if (open) return open.client;
    const fresh = await ('pool' in options
      ? borrow(options.pool)
      : connect(options.connectionString));
    fresh.client.on('error', () => {
      if (open === fresh) drop();
    });
    open = fresh;
    return fresh.client;
  }
  const name = options.prepared === false ? undefined : 'ledger_post';
  return {
    async post(values) {
      const query = { text: POST_SQL, values, ...(name && { name }) };
      const { rows } = await (await client()).query<PostRow>(query);
      const [row] = rows;
      if (!row) throw new Error('The ledger gave no answer');
      return row;
    },
    drop,
    async close() {
      await open?.end(false);
      open = undefined;
    },
  };
}

async function borrow(pool: pg.Pool) {
  const client = await pool.connect();
  return { client, end: async (lost: boolean) => client.release(lost) };
}

async function connect(connectionString: string) {
  const client = await openClient({
    connectionString,
    application_name: 'archipay-ledger',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  return { client, end: () => client.end() };
}
