import pg from 'pg';
import type { Statement } from './statement-names.ts';

/**
 * All that the product takes of `pg` beyond its documented interface, for two things that the bars of the bench need
 * (docs/design/performance.md): several statements in one message, and columns that are described once. `pg` is pinned,
 * and pg-internals.test.ts fails first where another version changes what stands here.
 */

/** What the driver makes of the server's description of an answer. */
interface Columns {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: object | null;
}

/** The driver's own query: it writes messages and receives the answers. */
interface DriverQuery {
  name: string | undefined;
  text: string;
  values: readonly unknown[] | undefined;
  queryMode: string;
  readonly _result: Columns;
  _accumulateRows: boolean;
  /** All texts that are sent with it, for tests that count. */
  together: readonly string[];
  hasBeenParsed(connection: Wire): boolean;
  submit(connection: Wire): Error | null;
  prepare(connection: Wire): void;
  _getRows(connection: Wire): void;
  handleCommandComplete(message: { readonly text: string }, connection: Wire): void;
  handleRowDescription(message: object): void;
  handleDataRow(message: object): void;
  handleError(error: Error, connection: Wire): void;
}

type Names = Record<string, string | undefined>;

interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Names;
  readonly submittedNamedStatements: Names;
  parse(statement: { readonly text: string; readonly name: string }): void;
  bind(portal: object): void;
  execute(portal: object): void;
  sync(): void;
}

type QueryCallback = (error: Error | null, result: pg.QueryResult) => void;
const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: QueryCallback,
) => DriverQuery;
/** A value as the driver itself writes it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } })
  .utils;

type KnownColumns = Map<string, Columns>;
/** Of each connection that keeps columns, by the names of its statements. */
const kept = new WeakMap<object, KnownColumns>();
/** The last of each name: all connections of a process receive the same, and share one object. */
const latest: KnownColumns = new Map();

/**
 * Has a connection keep the columns of its prepared statements. Only where the server's session is always the
 * same: that fails a statement whose columns have changed since it was prepared. A pooler may hand out another
 * session, which would have prepared the statement again.
 */
export function keepColumns(client: pg.ClientBase): void {
  kept.set((client as unknown as { connection: object }).connection, new Map());
}

/**
 * The driver's query, except that the server describes an answer only once for each statement of a connection.
 * A description each time, and the parsers made of it, cost more than reading a short answer's rows.
 */
export class DescribedOnceQuery extends Query {
  #learning: KnownColumns | undefined;

  /** A value that has no text fails it before anything is sent: the driver would forget its statement by then. */
  override submit(connection: Wire): Error | null {
    try {
      this.values = this.values?.map((value) => prepareValue(value));
    } catch (error) {
      return error as Error;
    }
    return super.submit(connection);
  }

  override prepare(connection: Wire): void {
    const known = kept.get(connection);
    const columns = this.name && known?.get(this.name);
    if (!columns || !this.hasBeenParsed(connection)) {
      this.#learning = known;
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    connection.bind({ portal: '', statement: this.name, values: this.values });
    this._getRows(connection);
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    if (this.name) this.#learning?.set(this.name, sharedColumns(this.name, this._result));
  }
}

function sharedColumns(name: string, result: Columns): Columns {
  const before = latest.get(name);
  if (before && areSame(before, result)) return before;
  const { fields, _parsers, _prebuiltEmptyResultObject } = result;
  const columns = { fields, _parsers, _prebuiltEmptyResultObject };
  latest.set(name, columns);
  return columns;
}

const areSame = ({ fields: a }: Columns, { fields: b }: Columns): boolean =>
  a.length === b.length &&
  a.every((one, i) => one.name === b[i]?.name && one.dataTypeID === b[i]?.dataTypeID);

export interface PipelinedStatement extends Statement {
  /** Sent before it, and their answers dropped: a transaction's beginning, rows to write. */
  readonly before?: readonly Statement[];
  /** It is the last of its transaction, which commits where all of it succeeds. */
  readonly commits?: boolean;
}

/** The statement's own result, and the word that the server answered its commit with. */
export interface PipelinedResult {
  readonly result: pg.QueryResult;
  readonly ending: string | undefined;
}

export type Pipeline = typeof pipeline;

/**
 * Sends a statement with the statements before it and the end of its transaction, in one message.
 * All of it comes before one Sync, so that the server skips what follows a failure: nothing ever runs
 * outside of the transaction, and nothing commits that has failed.
 */
export function pipeline(
  client: pg.ClientBase,
  message: PipelinedStatement,
): Promise<PipelinedResult> {
  const { text, values, name, before = [] } = message;
  return new Promise((resolve, reject) => {
    let ending: string | undefined;
    // As text by now: a value that has none would end the message in the middle of it.
    const texts = values.map((value) => prepareValue(value));
    const query = new DescribedOnceQuery(text, texts, (error, result) =>
      error ? reject(error) : resolve({ result, ending }),
    );
    Object.assign(query, { name, queryMode: 'extended' });
    query.together = [...before.map((one) => one.text), text];
    // In this order: the server answers the statements before first.
    if (message.commits) commitAfter(query, (word) => (ending = word));
    if (before.length > 0) sendBefore(query, before.map(asText));
    client.query(query as never);
  });
}

const asText = (statement: Statement): Statement => ({
  ...statement,
  values: statement.values.map((value) => prepareValue(value)),
});

/** Has the query answer for one statement of the message after the other. */
function sendBefore(query: DriverQuery, before: readonly Statement[]): void {
  const all = [...before, { name: query.name, text: query.text }];
  const { submit, handleCommandComplete, handleError, handleRowDescription, handleDataRow } = query;
  let at = 0;
  const isBefore = () => at < before.length;
  // By these the driver records which statements the server has prepared.
  const answer = (index: number) => {
    at = index;
    Object.assign(query, { name: all[index]?.name, text: all[index]?.text });
  };
  query.submit = (connection) => {
    connection.stream.cork();
    try {
      for (const one of before) send(connection, one);
      const error = submit.call(query, connection);
      answer(0);
      return error;
    } finally {
      connection.stream.uncork();
    }
  };
  query.handleCommandComplete = (message, connection) =>
    isBefore() ? answer(at + 1) : handleCommandComplete.call(query, message, connection);
  // Rows of the statements before are dropped.
  query.handleRowDescription = (message) => {
    if (!isBefore()) handleRowDescription.call(query, message);
  };
  query.handleDataRow = (message) => {
    if (!isBefore()) handleDataRow.call(query, message);
  };
  query.handleError = (error, connection) => {
    // The server has skipped all that follows, so none of it is prepared.
    for (const { name } of all.slice(at)) delete connection.submittedNamedStatements[name ?? ''];
    handleError.call(query, error, connection);
  };
}

function commitAfter(query: DriverQuery, ended: (word: string) => void): void {
  const { handleCommandComplete } = query;
  let isDone = false;
  query._getRows = (connection) => {
    connection.execute({ portal: '', rows: 0 });
    send(connection, { text: 'commit', values: [] });
    connection.sync();
  };
  query.handleCommandComplete = (message, connection) => {
    if (isDone) return ended(message.text);
    isDone = true;
    handleCommandComplete.call(query, message, connection);
  };
}

function send(connection: Wire, { text, values, name = '' }: Statement): void {
  const { parsedStatements, submittedNamedStatements: submitted } = connection;
  if (!parsedStatements[name] && !submitted[name]) {
    connection.parse({ text, name });
    if (name) submitted[name] = text;
  }
  connection.bind({ portal: '', statement: name, values });
  connection.execute({ portal: '', rows: 0 });
}
