import type pg from 'pg';
import type { Logger } from '../log.ts';
import { createListeners, type Listener, type Notifications } from './notifications.ts';
import { keepConnected, type PersistentConnection } from './persistent-connection.ts';

/**
 * The one connection of a process that stands for it: others know by its session at once when the
 * process is gone, however it ended, and all notices come in on it. No pooler may be in between.
 */
export interface Liveness {
  /**
   * Signs what this process claims; nothing where its end would not be noticed. Also while the
   * connection is being made again: a claim without a number is ended by time alone.
   */
  readonly number: number | undefined;
  /**
   * A statement on the connection that the number stands for, the first to be there again after the
   * database was away. Rejects until it is.
   */
  query: PersistentConnection['query'];
  /** Listens to one more channel, also after the connection was lost. */
  listen(listener: Listener): Promise<Notifications>;
  close(): Promise<void>;
}

const NOT_HELD =
  'The database connection does not keep its session: claims end by time only, and nothing is ' +
  'remembered that others may change. Set DATABASE_DIRECT_URL to the server itself.';

/**
 * Holds an advisory lock under a number of this process's own, which the database releases with the
 * connection: `process_session(number)` is null from then on (migration 0018). After the connection
 * was lost it is the same number again, or another where the old session is still held there.
 */
export async function holdLiveness(url: string, log: Logger, queryMs?: number): Promise<Liveness> {
  let number: number | undefined;
  let held = true;
  let open = true;
  const listeners = createListeners();
  const connection = await keepConnected({
    url,
    name: 'archipay presence',
    ...(queryMs !== undefined && { queryMs }),
    async begin(client) {
      const { rows } = await client.query<{ number: number }>(
        'select hold_process_number($1) as number',
        [number ?? null],
      );
      number = rows[0]?.number;
      await listeners.begin(client);
    },
    async check(client) {
      if (!held || (await isOwnSession(client, number))) return;
      // Only a pooler can have put another session in the place of ours, and will again.
      held = false;
      log.warn(NOT_HELD);
    },
    lost: () => listeners.lost(),
  });
  return {
    get number() {
      return open && held ? number : undefined;
    },
    query: connection.query,
    async listen(listener) {
      const forget = await listeners.add(listener, (text) => connection.query(text, []));
      return {
        get isListening() {
          return open && held && connection.isUp;
        },
        close: async () => forget(),
      };
    },
    close() {
      open = false;
      return connection.close();
    },
  };
}

async function isOwnSession(client: pg.Client, number: number | undefined): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>(
    'select process_session($1) is not distinct from pg_backend_pid() as mine',
    [number],
  );
  return rows[0]?.mine ?? false;
}
