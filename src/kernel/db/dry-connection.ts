import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult } from 'kysely';
import type pg from 'pg';
import { type DryRun, type DryRunNotes, DryRunStop, inDryRun } from '../dry-run.ts';
import type { Pipeline } from './pg-internals.ts';
import { resultOf } from './query-result.ts';
import type { DB } from './schema.generated.ts';

/** How long it waits for a lock. */
const LOCK_MS = 1000;
/** It holds locks of others' rows, so it ends soon, whatever it waits for. */
const WHOLE_MS = 5000;

/** How the work of a dry run ended. */
export type DryRunEnd<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Something outside would be called next. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'late' };

/**
 * Runs work in one transaction that is rolled back. Whatever database that work uses, by whatever pool, its statements
 * go to this transaction: its own transactions are savepoints of it. `read` sees all that was written.
 */
export function rehearse<T, N>(
  db: Kysely<DB>,
  work: () => Promise<T>,
  read: (notes: DryRunNotes) => Promise<N>,
): Promise<{ readonly end: DryRunEnd<T>; readonly found: N }> {
  return db.getExecutor().provideConnection(async (connection) => {
    const { client, send } = connection as unknown as Held;
    await client.query(`begin; set local lock_timeout = ${LOCK_MS}`);
    const run = new Rehearsal(client, send);
    try {
      const end = await run.end(work);
      // Outside of the work itself, which may go on where it was stopped.
      const found = await inDryRun(new Rehearsal(client, send), () => read(run.notes));
      return { end, found };
    } finally {
      run.close();
      await client.query('rollback').catch((error: unknown) => {
        Object.assign(connection, { isBroken: true });
        throw error;
      });
    }
  });
}

/** What the driver knows of a connection. */
interface Held {
  readonly client: pg.PoolClient;
  readonly send: Pipeline;
}

class Rehearsal implements DryRun {
  readonly notes: DryRunNotes = {
    legs: [],
    events: [],
    calls: [],
    messages: [],
    limits: [],
    policy: null,
  };
  readonly client: pg.PoolClient;
  readonly send: Pipeline;
  #isOpen = true;
  #marks = 0;
  readonly #stopped = Promise.withResolvers<DryRunEnd<never>>();

  constructor(client: pg.PoolClient, send: Pipeline) {
    this.client = client;
    this.send = send;
  }

  connect(): DryConnection {
    this.mustBeOpen();
    return new DryConnection(this);
  }

  async query(text: string, values: readonly unknown[]) {
    this.mustBeOpen();
    return await this.client.query(text, [...values]);
  }

  stop(call: DryRunNotes['calls'][number]): void {
    if (!this.#isOpen) return;
    this.notes.calls.push(call);
    this.close();
    this.#stopped.resolve({ kind: 'stopped' });
  }

  /** How the work ends, or where it is stopped: then it may go on by itself, and does nothing more. */
  async end<T>(work: () => Promise<T>): Promise<DryRunEnd<T>> {
    const late = setTimeout(() => this.#stopped.resolve({ kind: 'late' }), WHOLE_MS);
    const done = inDryRun(this, work).then(
      (value): DryRunEnd<T> => ({ kind: 'done', value }),
      (error: unknown): DryRunEnd<T> => ({ kind: 'failed', error }),
    );
    try {
      return await Promise.race([this.#stopped.promise, done]);
    } finally {
      clearTimeout(late);
      this.close();
    }
  }

  close(): void {
    this.#isOpen = false;
  }

  mustBeOpen(): void {
    if (!this.#isOpen) throw new DryRunStop('The dry run is over');
  }

  nextMark(): number {
    this.#marks += 1;
    return this.#marks;
  }
}

/** A statement, or a transaction within the one that is rolled back. */
export class DryConnection implements DatabaseConnection {
  readonly #run: Rehearsal;
  /** Of a transaction, the savepoint that it began with. */
  #mark: string | undefined;
  #begin: string | undefined;

  constructor(run: Rehearsal) {
    this.#run = run;
  }

  begin(): void {
    this.#mark = `dry_${this.#run.nextMark()}`;
    this.#begin = `savepoint ${this.#mark}`;
  }

  commit(): void {
    this.#mark = undefined;
  }

  async rollback(): Promise<void> {
    const isEmpty = this.#begin !== undefined;
    const mark = this.#mark;
    this.#mark = undefined;
    if (!isEmpty) await this.#run.query(`rollback to savepoint ${mark}`, []);
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const run = this.#run;
    run.mustBeOpen();
    if (this.#mark !== undefined && this.#begin === undefined)
      return resultOf(await run.client.query(text, [...parameters]));
    // A statement that fails by itself must not undo what came before it.
    const mark = this.#mark ?? 'dry_statement';
    const before = [{ text: `savepoint ${mark}`, values: [], name: '' }];
    this.#begin = undefined;
    try {
      return resultOf((await run.send(run.client, { text, values: parameters, before })).result);
    } catch (error) {
      if (this.#mark === undefined) await run.client.query(`rollback to savepoint ${mark}`);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('Rows are read in pages, not as a stream');
  }
}
