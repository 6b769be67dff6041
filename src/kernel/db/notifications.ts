import { keepConnected } from './persistent-connection.ts';

export interface Notifications {
  /** False while notifications may be missed; caches must not be trusted then. */
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
      // Changes before the first notification are unknown, so start from nothing.
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
