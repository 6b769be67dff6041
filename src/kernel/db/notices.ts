import pg from 'pg';

export interface Notices {
  /** Whether what happens elsewhere is being heard; caches must not be trusted while it is not. */
  readonly hearing: boolean;
  close(): Promise<void>;
}

const RETRY_MS = 1000;
const CONNECT_MS = 10_000;

/**
 * Listens to one channel on a connection of its own, and again after it was lost. `lost` is called
 * when something may have been missed.
 */
export async function listen(
  url: string,
  channel: string,
  heard: (payload: string) => void,
  lost: () => void,
): Promise<Notices> {
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const state = { hearing: false };

  /** One attempt at a time, whichever way the last connection ended. */
  const again = (): void => {
    state.hearing = false;
    lost();
    clearTimeout(retry);
    if (!closed) retry = setTimeout(() => void open().catch(again), RETRY_MS);
  };
  const open = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'archipay notices',
      // Nothing is ever sent on this connection, so only the system notices that it is gone.
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    next.on('error', () => undefined);
    next.on('notification', ({ payload }) => heard(payload ?? ''));
    await next.connect();
    client = next;
    next.on('end', again);
    await next.query(`listen ${next.escapeIdentifier(channel)}`);
    // What changed before the first notice could be heard is unknown, so start from nothing.
    lost();
    state.hearing = true;
  };
  await open();
  return {
    get hearing() {
      return state.hearing;
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
