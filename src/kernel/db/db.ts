import { Socket } from 'node:net';
import { CompiledQuery, Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { dialectOf, lastOf, laterOf } from './driver.ts';
import { DescribedOnceQuery, keepColumns, type Pipeline, pipeline } from './pg-internals.ts';
import type { DB } from './schema.generated.ts';
import { isStalePlan } from './stale-plan.ts';
import { createStatementNames, type Statement, type StatementNames } from './statement-names.ts';

/** A pool or an open transaction: a store function takes either without knowing which. */
export type Db = Kysely<DB> | Transaction<DB>;

// Rows leave the driver as the wire wants them. `numeric` is only ever whole units of money.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, BigInt);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoTime);

const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

/** As a Date would read it, and quicker where the text is in UTC: `2026-01-02 03:04:05.678+00`. */
export function isoTime(text: string): string {
  if (!UTC.test(text)) return new Date(text).toISOString();
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`;
}

export interface OpenDatabase {
  readonly db: Kysely<DB>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** How long work waits for a connection. */
const WAIT_MS = 10_000;

interface PoolOptions {
  /** Off where something in between does not keep prepared statements. */
  readonly prepared?: boolean | undefined;
  /** Whether a pooler is in between, which hands each transaction to another session. */
  readonly pooled?: boolean | undefined;
  readonly onError?: (error: Error) => void;
}

export interface DatabaseOptions extends PoolOptions {
  readonly max?: number;
  /** How long work waits for a connection; ten seconds when absent. */
  readonly waitMs?: number;
  /** After which the server gives a statement up. Without it, never. */
  readonly statementMs?: number;
}

/** Opens a pool whose repeated statements are prepared once per connection by their text. */
export function openDatabase(url: string, options: DatabaseOptions = {}): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 20,
    connectionTimeoutMillis: options.waitMs ?? WAIT_MS,
    application_name: 'archipay',
    ...(options.pooled ? {} : { idle_in_transaction_session_timeout: IDLE_MS }),
    ...(options.statementMs === undefined ? {} : limitedTo(options.statementMs, options.pooled)),
  });
  return openedOver(pool, options);
}

/** A pool of its own whose connections are made as that one's are. */
export const openAlike = (like: pg.Pool, options: PoolOptions & { readonly max: number }) =>
  openedOver(new pg.Pool({ ...like.options, max: options.max }), options);

function openedOver(pool: pg.Pool, options: PoolOptions): OpenDatabase {
  // An idle connection that the server closes is reported here; without a listener it ends the process.
  pool.on('error', (error) => options.onError?.(error));
  // So does one that is in use; its statement fails by itself, which is all that its user must know.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const names = options.prepared === false ? undefined : createStatementNames();
  if (names) pool.on('connect', (client) => nameStatements(client, names));
  if (!options.pooled) pool.on('connect', keepColumns);
  const db = new Kysely<DB>({ dialect: dialectOf(pool, names ? pipelineNamed(names) : pipeline) });
  return { db, pool, close: () => db.destroy() };
}

/** How much longer than a statement may take its connection may say nothing. */
const SILENT_MS = 5000;

/**
 * The server gives a statement up, but cannot say so on a connection that a firewall has dropped:
 * the caller, and all who wait for it, would hang for a quarter of an hour.
 */
const limitedTo = (statementMs: number, pooled = false) => ({
  // Poolers refuse a session that asks for it at its beginning.
  ...(pooled ? {} : { statement_timeout: statementMs }),
  stream() {
    const socket = new Socket();
    return socket.setTimeout(statementMs + SILENT_MS, () => {
      socket.destroy(new Error('Connection terminated: the database says nothing'));
    });
  },
});

const IDLE_MS = 60_000;

/** Parsing and planning cost the server as much as a point read itself, so known texts get a name. */
function nameStatements(client: pg.PoolClient, names: StatementNames): void {
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
  const named = (text: unknown, values?: unknown, callback?: QueryCallback) => {
    if (typeof text !== 'string' || !Array.isArray(values) || names.of(text) === undefined)
      return plain(text, values, callback);
    const ask = (answer: QueryCallback) => {
      const name = names.of(text);
      const heard: QueryCallback = (error, result) => {
        if (!error || !isStalePlan(error)) return answer(error, result);
        names.replace(text, name);
        // A transaction is undone by it, and has to be run again as a whole (see transact.ts).
        if (client.getTransactionStatus() === 'I') ask(answer);
        else answer(error, result);
      };
      // Handing over `{ name, text }` would do the same, but the driver clones it at some length.
      plain(Object.assign(new DescribedOnceQuery(text, values, heard), { name }));
    };
    if (callback) return ask(callback);
    return new Promise((resolve, reject) => {
      ask((error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error) => {
      // From here up, where the statement was asked for, as the driver does.
      Error.captureStackTrace(error);
      throw error;
    });
  };
  client.query = named as typeof client.query;
}
type QueryCallback = (error: Error | null, result: pg.QueryResult) => void;

/** The same for statements that are sent together. */
const pipelineNamed =
  (names: StatementNames): Pipeline =>
  async (client, message) => {
    const named = <S extends Statement>(statement: S) =>
      statement.name === undefined ? { ...statement, name: names.of(statement.text) } : statement;
    const sent = { ...named(message), before: message.before?.map(named) ?? [] };
    try {
      return await pipeline(client, sent);
    } catch (error) {
      // The transaction is undone by it, and has to be run again as a whole (see transact.ts).
      if (isStalePlan(error))
        for (const { text, name } of [...sent.before, sent]) if (name) names.replace(text, name);
      throw error;
    }
  };

/**
 * The service's time as the database has it, for what is stamped in passing; in SQL of our own it is
 * `service_now()`. The sandbox moves it with the clock.
 */
export const now: RawBuilder<string> = sql<string>`service_now()`;

/** Runs one statement of our own text with its values, where SQL says it better than the builder. */
export async function run<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/** Runs the last statement of a transaction, and commits with it. Nothing may be asked of `tx` afterwards. */
export async function runLast<Row>(
  tx: Transaction<DB>,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await tx.executeQuery<Row>(lastOf(CompiledQuery.raw(text, [...values])));
  return rows;
}

/**
 * Writes what needs no answer, together with the next statement of the transaction, which fails
 * with it; outside of a transaction at once.
 */
export async function runLater(db: Db, text: string, values: readonly unknown[]): Promise<void> {
  const query = CompiledQuery.raw(text, [...values]);
  await db.executeQuery(db.isTransaction ? laterOf(query) : query);
}
