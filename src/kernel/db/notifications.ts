import type pg from 'pg';

export interface Notifications {
  /** False while notifications may be missed; caches must not be trusted then. */
  readonly isListening: boolean;
  /** Stops listening; callers need not wait for it. */
  close(): Promise<void>;
}

/** Who listens to one channel. */
export interface Listener {
  readonly channel: string;
  hear(payload: string): void;
  /** Something may have been missed. */
  lost(): void;
}

/** All who listen in one process, to any number of channels, on one connection. */
export interface Listeners {
  /** On a new connection everybody listens again, and starts from nothing: what came before is unknown. */
  begin(client: pg.Client): Promise<void>;
  lost(): void;
  /** Answers how they are taken back. `ask` runs a statement on the connection, if there is one. */
  add(listener: Listener, ask: Ask): Promise<() => void>;
}

type Ask = (text: string) => Promise<unknown>;

export function createListeners(): Listeners {
  const all = new Set<Listener>();
  const channels = () => [...new Set([...all].map(({ channel }) => channel))];
  return {
    async begin(client) {
      client.on('notification', ({ channel, payload = '' }) => {
        for (const one of all) if (one.channel === channel) one.hear(payload);
      });
      for (const channel of channels()) await client.query(`listen ${quoted(channel)}`);
      for (const one of all) one.lost();
    },
    lost() {
      for (const one of all) one.lost();
    },
    async add(listener, ask) {
      all.add(listener);
      // Where the connection is away it is listened to as soon as that is there again.
      await ask(`listen ${quoted(listener.channel)}`).catch(() => undefined);
      listener.lost();
      return () => {
        all.delete(listener);
        if (channels().includes(listener.channel)) return;
        void ask(`unlisten ${quoted(listener.channel)}`).catch(() => undefined);
      };
    },
  };
}

const quoted = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;
