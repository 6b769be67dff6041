import type pg from 'pg';
import { KnownQuery, prepareValue } from './known-columns.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** By which the server keeps it prepared; unnamed without. */
  readonly name?: string | undefined;
}

export interface DriverMessage extends Statement {
  /** What is done before it, and answered by nothing: a transaction's beginning, rows to be written. */
  readonly before?: readonly Statement[];
  /** It is the last of its transaction, which is committed when all of it does well. */
  readonly commits?: boolean;
}

/** The statement's own result, and the word that its commit was answered with. */
export interface StatementResult {
  readonly result: pg.QueryResult;
  readonly ending: string | undefined;
}

/** What the driver's own query offers beyond its types: it writes messages and hears the answers. */
interface WireQuery {
  readonly name: string | undefined;
  readonly text: string;
  queryMode: string;
  /** All that is sent with it, for whoever counts. */
  together: readonly string[];
  submit(connection: Wire): Error | null;
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

/**
 * Sends a statement together with what goes before it and with the end of its transaction, in one message.
 * All of it comes before one Sync, so that the server passes over what follows a failure: nothing is
 * ever done outside of the transaction, and nothing is committed that has failed.
 */
export function askTogether(
  client: pg.ClientBase,
  message: DriverMessage,
): Promise<StatementResult> {
  const { text, values, name, before = [] } = message;
  return new Promise((resolve, reject) => {
    let ending: string | undefined;
    const heard = (error: Error | undefined | null, result: unknown) =>
      error ? reject(error) : resolve({ result: result as pg.QueryResult, ending });
    // As text by now: a value that has none would end the message in the middle of it.
    const texts = values.map((value) => prepareValue(value));
    const query = new KnownQuery(text, texts, heard) as unknown as WireQuery;
    Object.assign(query, { name, queryMode: 'extended' });
    query.together = [...before.map((one) => one.text), text];
    // In this order: what is before is answered first.
    if (message.commits) commitAfter(query, (word) => (ending = word));
    if (before.length > 0) sendBefore(query, before.map(asText));
    client.query(query as never);
  });
}

const asText = (statement: Statement): Statement => ({
  ...statement,
  values: statement.values.map((value) => prepareValue(value)),
});

/** The query as it answers for one statement of the message after the other. */
function sendBefore(query: WireQuery, before: readonly Statement[]): void {
  const all = [...before, { name: query.name, text: query.text }];
  const { submit, handleCommandComplete, handleError, handleRowDescription, handleDataRow } = query;
  let at = 0;
  const isBefore = () => at < before.length;
  // By these the driver notes what the server has prepared.
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
  // Nobody waits for rows of what is before.
  query.handleRowDescription = (message) => {
    if (!isBefore()) handleRowDescription.call(query, message);
  };
  query.handleDataRow = (message) => {
    if (!isBefore()) handleDataRow.call(query, message);
  };
  query.handleError = (error, connection) => {
    // What follows was passed over, and is not prepared.
    for (const { name } of all.slice(at)) delete connection.submittedNamedStatements[name ?? ''];
    handleError.call(query, error, connection);
  };
}

function commitAfter(query: WireQuery, ended: (word: string) => void): void {
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
