import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from 'xrpl';
import type { Logger } from '#kernel/log.ts';
import { library } from './library.ts';

/** What the server answered, or why it did not: then nobody knows whether it heard. */
export type Reply<T> =
  | { readonly result: T }
  /** The server's own code, such as `actNotFound`. */
  | { readonly error: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly lost: string };

/** A server of the ledger, reached when it is first asked, and again after it was lost. */
export interface Connection {
  /** An answer in another shape than `schema` is none. */
  ask<S extends TSchema>(
    schema: S,
    command: string,
    fields?: Readonly<Record<string, unknown>>,
  ): Promise<Reply<Static<S>>>;
  /** Told the hash of each transaction of the followed accounts that a ledger has. */
  onValidated(listener: (hash: string) => void): void;
  /** From the next connection on. */
  follow(accounts: readonly string[]): void;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 5_000;

/** One connection for all of the process. The library's own reconnecting is not used: who asks, opens. */
export function createConnection(url: () => string, log: Logger): Connection {
  const listeners: ((hash: string) => void)[] = [];
  let followed: readonly string[] = [];
  let opening: Promise<Client> | undefined;
  let isClosed = false;

  async function open(): Promise<Client> {
    const { Client: Opened } = await library();
    if (isClosed) throw new Error('The connection was closed');
    const client = new Opened(url(), { timeout: TIMEOUT_MS, connectionTimeout: CONNECT_MS });
    // Without a listener an error event would end the process.
    client.on('error', (code, message) => log.warn({ code, message }, 'The XRP Ledger complains'));
    client.on('disconnected', () => {
      opening = undefined;
      // Ends its own attempts to come back, of which nobody would know.
      client.disconnect().catch(() => undefined);
    });
    client.on('transaction', (told: { hash?: string; validated?: boolean }) => {
      if (told.validated && told.hash) for (const listener of listeners) listener(told.hash);
    });
    try {
      await client.connection.connect();
      if (followed.length > 0)
        await client.connection.request({ command: 'subscribe', accounts: [...followed] });
    } catch (error) {
      await client.disconnect().catch(() => undefined);
      throw error;
    }
    return client;
  }

  /** One opening at a time, however many ask. */
  function use(): Promise<Client> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    async ask(schema, command, fields = {}) {
      try {
        const client = await use();
        const request = { command, api_version: 2, ...fields };
        const { result } = (await client.connection.request(request)) as { result: unknown };
        return Value.Check(schema, result) ? { result } : { lost: 'an answer of another shape' };
      } catch (error) {
        return failureOf(error);
      }
    },
    onValidated: (listener) => void listeners.push(listener),
    follow(accounts) {
      followed = accounts;
    },
    async close() {
      isClosed = true;
      const client = await opening?.catch(() => undefined);
      await client?.disconnect().catch(() => undefined);
    },
  };
}

function failureOf(error: unknown): Exclude<Reply<never>, { result: unknown }> {
  const data = (error as { data?: unknown }).data as Record<string, unknown> | undefined;
  const code = data?.['error'];
  if ((error as Error).name === 'RippledError' && typeof code === 'string' && data)
    return { error: code, data };
  return { lost: error instanceof Error ? error.name : String(error) };
}
