import pg from 'pg';

export interface PersistentConnection {
  /** Whether the connection is up, as far as this end can know. */
  readonly isUp: boolean;
  /** The rows that a statement answers. Rejects while there is no connection. */
  query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface PersistentConnectionOptions {
  readonly url: string;
  /** As the database lists it. */
  readonly name: string;
  /** Prepares a new connection, which counts as up afterwards. */
  begin(client: pg.Client): Promise<void>;
  /** Asked now and then; what it throws ends the connection. */
  check(client: pg.Client): Promise<unknown>;
  /** How long an answer is waited for. */
  readonly queryMs?: number;
  /** The connection is gone, or could not be made again. */
  lost?(): void;
}

/** After a connection that worked, and after an attempt that failed. */
const AT_ONCE_MS = 50;
const RETRY_MS = 500;
const CONNECT_MS = 10_000;
/** Well within what firewalls let a connection be silent for. */
const CHECK_MS = 10_000;
const ANSWER_MS = 20_000;
/** Callers wait for these. */
const QUERY_MS = 5000;

/**
 * A connection for as long as the process lives: made again after it was lost, and asked now and
 * then, because one that a firewall has dropped does not say so. Throws when the first one fails.
 */
export async function keepConnected(
  options: PersistentConnectionOptions,
): Promise<PersistentConnection> {
  const state: State = { closed: false, up: false, line: Promise.resolve() };
  const close = async (): Promise<void> => {
    state.closed = true;
    clearTimeout(state.retry);
    await state.client?.end();
  };
  try {
    await open(options, state);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get isUp() {
      return state.up;
    },
    query: <Row extends object>(text: string, values: readonly unknown[]) =>
      inTurn(state, async () => {
        const { up, client } = state;
        if (!up || !client) throw new Error('Connection terminated, and not there again yet');
        const asked = { text, values: [...values], query_timeout: options.queryMs ?? QUERY_MS };
        return (await client.query<Row>(asked)).rows;
      }),
    close,
  };
}

interface State {
  client?: pg.Client;
  closed: boolean;
  up: boolean;
  retry?: NodeJS.Timeout;
  checks?: NodeJS.Timeout;
  /** What is asked, one after the other, as the driver wants it. */
  line: Promise<unknown>;
}

function inTurn<T>(state: State, ask: () => Promise<T>): Promise<T> {
  const answer = state.line.then(ask);
  state.line = answer.catch(() => undefined);
  return answer;
}

/** One attempt at a time, whichever way the last connection ended. */
function again(options: PersistentConnectionOptions, state: State): void {
  const pause = state.up ? AT_ONCE_MS : RETRY_MS;
  state.up = false;
  clearTimeout(state.checks);
  clearTimeout(state.retry);
  options.lost?.();
  const retry = () => void open(options, state).catch(() => again(options, state));
  if (!state.closed) state.retry = setTimeout(retry, pause);
}

async function open(options: PersistentConnectionOptions, state: State): Promise<void> {
  const next = await connect(options);
  state.client = next;
  let ended = false;
  next.on('end', () => {
    ended = true;
    again(options, state);
  });
  try {
    await options.begin(next);
  } catch (error) {
    await next.end();
    throw error;
  }
  if (state.closed) return next.end();
  if (ended) return;
  state.up = true;
  const look = (): void => {
    if (ended) return;
    const check = () => inTurn(state, () => options.check(next)).then(look, () => next.end());
    state.checks = setTimeout(check, CHECK_MS);
  };
  look();
}

async function connect({ url, name }: PersistentConnectionOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
