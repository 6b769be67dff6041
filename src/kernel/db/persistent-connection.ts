import pg from 'pg';

export interface PersistentConnection {
  /** Whether the connection is up, as far as this end can know. */
  readonly up: boolean;
  /** The rows that a statement answers. Rejects while there is no connection. */
  query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface PersistentConnectionOptions {
  readonly url: string;
  /** As the database lists it. */
  readonly name: string;
  /** What makes a new connection of use; it is not up before. */
  begin(client: pg.Client): Promise<void>;
  /** Asked now and then; what it throws ends the connection. */
  check(client: pg.Client): Promise<unknown>;
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
  const { begin, check, lost } = options;
  let client: pg.Client | undefined;
  let closed = false;
  let up = false;
  let retry: NodeJS.Timeout | undefined;
  let checks: NodeJS.Timeout | undefined;

  /** One attempt at a time, whichever way the last connection ended. */
  const again = (): void => {
    const pause = up ? AT_ONCE_MS : RETRY_MS;
    up = false;
    clearTimeout(checks);
    clearTimeout(retry);
    lost?.();
    if (!closed) retry = setTimeout(() => void open().catch(again), pause);
  };
  const open = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: options.name,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
    });
    next.on('error', () => undefined);
    await next.connect();
    client = next;
    let ended = false;
    next.on('end', () => {
      ended = true;
      again();
    });
    try {
      await begin(next);
    } catch (error) {
      await next.end();
      throw error;
    }
    if (closed) return next.end();
    if (ended) return;
    up = true;
    const look = (): void => {
      if (ended) return;
      checks = setTimeout(() => check(next).then(look, () => next.end()), CHECK_MS);
    };
    look();
  };
  const close = async (): Promise<void> => {
    closed = true;
    clearTimeout(retry);
    await client?.end();
  };
  try {
    await open();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get up() {
      return up;
    },
    async query<Row extends object>(text: string, values: readonly unknown[]) {
      if (!up || !client) throw new Error('Connection terminated, and not there again yet');
      const asked = { text, values: [...values], query_timeout: QUERY_MS };
      return (await client.query<Row>(asked)).rows;
    },
    close,
  };
}
