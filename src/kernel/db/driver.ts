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
import { dryRunNow } from '../dry-run.ts';
import type { DryConnection } from './dry-connection.ts';
import type { Pipeline } from './pg-internals.ts';
import { resultOf } from './query-result.ts';
import type { Statement } from './statement-names.ts';

/** The last statement of a transaction: the same message to the server commits it. */
export const lastOf = (query: CompiledQuery): CompiledQuery => marked(query, 'last');

/** A statement of a transaction whose answer is not needed: the driver sends it with the next one. */
export const laterOf = (query: CompiledQuery): CompiledQuery => marked(query, 'later');

type When = 'last' | 'later';
const marked = (query: CompiledQuery, when: When) => Object.assign({ ...query }, { when });
const whenOf = (query: CompiledQuery & { readonly when?: When }) => query.when;

interface Connection extends DatabaseConnection {
  readonly client: pg.PoolClient;
  readonly send: Pipeline;
  /** The statement that begins the transaction, sent with its first one. */
  begin: string | undefined;
  /** What is sent with the next statement. */
  later: Statement[];
  /** Its last statement has committed it. */
  isOver: boolean;
  isBroken: boolean;
}

/**
 * PostgreSQL for Kysely, in fewer round trips: a transaction begins with its first statement, and commits with its
 * last one where that is marked (`lastOf`). A statement without a needed answer (`laterOf`) goes with the next one,
 * and fails that.
 */
export const dialectOf = (pool: pg.Pool, send: Pipeline): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driverOf(pool, send),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

function driverOf(pool: pg.Pool, send: Pipeline): Driver {
  const of = (connection: DatabaseConnection) => connection as Connection;
  return {
    init: async () => undefined,
    acquireConnection: async () => dryConnection() ?? connectionOf(await pool.connect(), send),
    async beginTransaction(connection, settings) {
      if (isDry(connection)) return connection.begin();
      Object.assign(connection, { begin: beginOf(settings), later: [], isOver: false });
    },
    async commitTransaction(connection) {
      if (isDry(connection)) return connection.commit();
      const { begin, later, isOver, client } = of(connection);
      // The last statement has committed, or there was none.
      if (isOver || (begin !== undefined && later.length === 0)) return;
      const before = rest(of(connection));
      const { result } = await send(client, { text: 'commit', values: [], name: UNNAMED, before });
      mustBeCommitted(result.command);
    },
    async rollbackTransaction(connection) {
      if (isDry(connection)) return connection.rollback();
      const { begin, client } = of(connection);
      of(connection).later = [];
      if (begin !== undefined) return;
      try {
        await client.query('rollback');
      } catch (error) {
        of(connection).isBroken = true;
        throw error;
      }
    },
    async releaseConnection(connection) {
      if (isDry(connection)) return;
      const { client, isBroken } = of(connection);
      client.release(isBroken);
    },
    destroy: () => pool.end(),
  };
}

/** A connection of the dry run that the current work belongs to: it reaches no pool. */
const dryConnection = () => dryRunNow()?.connect() as DryConnection | undefined;

const isDry = (connection: DatabaseConnection): connection is DryConnection =>
  'rollback' in connection;

function connectionOf(client: pg.PoolClient, send: Pipeline): Connection {
  return {
    client,
    send,
    begin: undefined,
    later: [],
    isOver: false,
    isBroken: false,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { sql: text, parameters: values } = query;
      const when = whenOf(query);
      if (when === 'later') this.later.push({ text, values });
      if (when === 'later') return { rows: [] };
      const before = rest(this);
      if (before.length === 0 && when === undefined)
        return resultOf(await client.query(text, values as unknown[]));
      const commits = when === 'last';
      const { result, ending } = await send(client, { text, values, before, commits });
      this.isOver = commits;
      if (commits) mustBeCommitted(ending);
      return resultOf(result);
    },
    streamQuery() {
      throw new Error('Rows are read in pages, not as a stream');
    },
  };
}

/** Statements that begin and end a transaction need no plan. */
const UNNAMED = '';

/** The statements that go before the next one, in the same message. */
function rest(connection: Connection): Statement[] {
  const { begin, later } = connection;
  if (begin === undefined && later.length === 0) return later;
  Object.assign(connection, { begin: undefined, later: [] });
  return begin === undefined ? later : [{ text: begin, values: [], name: UNNAMED }, ...later];
}

/** The server answers otherwise where an earlier statement failed and its sender ignored that. */
function mustBeCommitted(word: string | undefined): void {
  if (word !== 'COMMIT') throw new Error(`The transaction was ended by ${word}`);
}

function beginOf({ isolationLevel, accessMode }: TransactionSettings): string {
  if (!isolationLevel && !accessMode) return 'begin';
  const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
  return `start transaction${level}${accessMode ? ` ${accessMode}` : ''}`;
}
