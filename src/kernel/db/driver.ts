import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import type { askTogether, Statement } from './together.ts';

/** A statement after which its transaction is committed, by the same message to the server. */
export const lastOf = <Q extends CompiledQuery>(query: Q): Q =>
  Object.assign({ ...query }, { isLast: true });

/** Makes one statement, with what belongs to its transaction, of the names that it is prepared under. */
export type AskTogether = (
  client: pg.PoolClient,
  statement: Statement,
) => ReturnType<typeof askTogether>;

interface Connection extends DatabaseConnection {
  readonly client: pg.PoolClient;
  /** How the transaction is to begin, together with its first statement. */
  begin: string | undefined;
  /** Its last statement has committed it. */
  isOver: boolean;
  isBroken: boolean;
}

/**
 * PostgreSQL for Kysely, in fewer round trips: a transaction begins with its first statement, and where its
 * last one is known to be that (`lastOf`), it is committed with it.
 */
export const dialectOf = (pool: pg.Pool, ask: AskTogether): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driverOf(pool, ask),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

function driverOf(pool: pg.Pool, ask: AskTogether): Driver {
  const of = (connection: DatabaseConnection) => connection as Connection;
  return {
    init: async () => undefined,
    acquireConnection: async () => connectionOf(await pool.connect(), ask),
    async beginTransaction(connection, settings) {
      Object.assign(connection, { begin: beginOf(settings), isOver: false });
    },
    async commitTransaction(connection) {
      const { begin, isOver, client } = of(connection);
      // Nothing was asked, or the last statement has done it.
      if (begin !== undefined || isOver) return;
      mustBeCommitted((await client.query('commit')).command);
    },
    async rollbackTransaction(connection) {
      const { begin, client } = of(connection);
      if (begin !== undefined) return;
      try {
        await client.query('rollback');
      } catch (error) {
        of(connection).isBroken = true;
        throw error;
      }
    },
    async releaseConnection(connection) {
      const { client, isBroken } = of(connection);
      client.release(isBroken);
    },
    destroy: () => pool.end(),
  };
}

function connectionOf(client: pg.PoolClient, ask: AskTogether): Connection {
  return {
    client,
    begin: undefined,
    isOver: false,
    isBroken: false,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { begin } = this;
      const { sql: text, parameters: values } = query;
      const commits = 'isLast' in query;
      if (begin === undefined && !commits)
        return resultOf(await client.query(text, values as unknown[]));
      this.begin = undefined;
      const { result, ending } = await ask(client, { text, values, begin, commits });
      this.isOver = commits;
      if (commits) mustBeCommitted(ending);
      return resultOf(result);
    },
    streamQuery() {
      throw new Error('Rows are asked for in pages, not as a stream');
    },
  };
}

function resultOf<R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> {
  if (!COUNTED.has(command)) return { rows: rows as R[] };
  return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
}
const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The server says so where a statement before has failed, and whoever sent it did not mind. */
function mustBeCommitted(word: string | undefined): void {
  if (word !== 'COMMIT') throw new Error(`The transaction was ended by ${word}`);
}

function beginOf({ isolationLevel, accessMode }: TransactionSettings): string {
  if (!isolationLevel && !accessMode) return 'begin';
  const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
  return `start transaction${level}${accessMode ? ` ${accessMode}` : ''}`;
}
