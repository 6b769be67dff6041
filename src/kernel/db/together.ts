import pg from 'pg';

/** What the driver's own query offers beyond its types: it writes messages and hears the answers. */
interface WireQuery {
  name: string | undefined;
  queryMode: string;
  submit(connection: Wire): Error | null;
  _getRows(connection: Wire): void;
  handleCommandComplete(message: { readonly text: string }, connection: Wire): void;
  handleError(error: Error, connection: Wire): void;
}

interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly submittedNamedStatements: Record<string, string | undefined>;
  parse(statement: { readonly text: string; readonly name: string }): void;
  bind(portal: object): void;
  execute(portal: object): void;
  sync(): void;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** By which the server keeps it prepared; unnamed without. */
  readonly name?: string | undefined;
  /** How its transaction begins, where it is the first of one. */
  readonly begin?: string | undefined;
  /** It is the last of its transaction, which is committed when it does well. */
  readonly commits?: boolean;
}

/** The statement's own result, and the word that its commit was answered with. */
export interface Answer {
  readonly result: pg.QueryResult;
  readonly ending: string | undefined;
}

/**
 * Sends a statement in one piece with the beginning or the end of its transaction. All of it comes before
 * one Sync, so that the server passes over what follows a failure: nothing is ever done outside of
 * the transaction, and nothing is committed that has failed.
 */
export function askTogether(client: pg.ClientBase, statement: Statement): Promise<Answer> {
  const { text, values, begin } = statement;
  return new Promise((resolve, reject) => {
    let ending: string | undefined;
    const heard = (error: Error | undefined | null, result: unknown) =>
      error ? reject(error) : resolve({ result: result as pg.QueryResult, ending });
    const query = new pg.Query(text, [...values], heard as never) as unknown as WireQuery;
    query.queryMode = 'extended';
    query.name = statement.name;
    // In this order: what begins hears the first word of the server, and hands on the others.
    if (statement.commits) commitAfter(query, (word) => (ending = word));
    if (begin !== undefined) beginWith(query, begin);
    client.query(query as never);
  });
}

function beginWith(query: WireQuery, begin: string): void {
  const { name } = query;
  const submit = query.submit.bind(query);
  const complete = query.handleCommandComplete.bind(query);
  const fail = query.handleError.bind(query);
  let hasBegun = false;
  query.submit = (connection) => {
    connection.stream.cork();
    try {
      utter(connection, begin);
      const error = submit(connection);
      // Until then what the server says is of the beginning, and would be taken for the statement's.
      query.name = undefined;
      return error;
    } finally {
      connection.stream.uncork();
    }
  };
  query.handleCommandComplete = (message, connection) => {
    if (hasBegun) return complete(message, connection);
    hasBegun = true;
    query.name = name;
  };
  query.handleError = (error, connection) => {
    // The statement was passed over, and is not prepared.
    if (!hasBegun && name) delete connection.submittedNamedStatements[name];
    fail(error, connection);
  };
}

function commitAfter(query: WireQuery, ended: (word: string) => void): void {
  const complete = query.handleCommandComplete.bind(query);
  let isDone = false;
  query._getRows = (connection) => {
    connection.execute({ portal: '', rows: 0 });
    utter(connection, 'commit');
    connection.sync();
  };
  query.handleCommandComplete = (message, connection) => {
    if (isDone) return ended(message.text);
    isDone = true;
    complete(message, connection);
  };
}

function utter(connection: Wire, text: string): void {
  connection.parse({ text, name: '' });
  connection.bind({ portal: '', statement: '', values: [] });
  connection.execute({ portal: '', rows: 0 });
}
