import { keepConnected } from './persistent-connection.ts';

export interface Notifications {
  /** Whether what happens elsewhere is being heard; caches must not be trusted while it is not. */
  readonly isListening: boolean;
  close(): Promise<void>;
}

/**
 * Listens to one channel on a connection of its own, and again after it was lost. `lost` is called
 * when something may have been missed.
 */
export async function listen(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  lost: () => void,
): Promise<Notifications> {
  const connection = await keepConnected({
    url,
    name: 'archipay notices',
    async begin(client) {
      client.on('notification', ({ payload }) => onMessage(payload ?? ''));
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      // What changed before the first notice could be heard is unknown, so start from nothing.
      lost();
    },
    check: (client) => client.query('select'),
    lost,
  });
  return {
    get isListening() {
      return connection.isUp;
    },
    close: () => connection.close(),
  };
}
