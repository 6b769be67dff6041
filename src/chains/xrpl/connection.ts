import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from 'xrpl';
import { refuseDryRun } from '#kernel/dry-run.ts';
import type { Logger } from '#kernel/log.ts';
import { library } from './library.ts';

/** What the server answered, or why it did not: then it is unknown whether the server has the request. */
export type LedgerReply<T> =
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
  ): Promise<LedgerReply<Static<S>>>;
  /** Called with the hash of each transaction of the followed accounts that a ledger has. */
  onValidated(listener: (hash: string) => void): void;
  /** From the next connection on. */
  follow(accounts: readonly string[]): void;
  /** Whether anybody has asked it anything. */
  isUsed(): boolean;
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
  let isUsed = false;

  async function open(): Promise<Client> {
    const client = await makeClient(url(), log);
    if (isClosed) throw new Error('The connection was closed');
    client.on('disconnected', () => {
      opening = undefined;
      // Ends its own attempts to come back, which no code would notice.
      client.disconnect().catch(() => undefined);
    });
    client.on('transaction', (message: { hash?: string; validated?: boolean }) => {
      if (message.validated && message.hash)
        for (const listener of listeners) listener(message.hash);
    });
    return connected(client, followed);
  }

  /** One opening at a time, however many ask. */
  function use(): Promise<Client> {
    isUsed = true;
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    ask: (schema, command, fields = {}) => askOnce(use, schema, { command, ...fields }),
    onValidated: (listener) => void listeners.push(listener),
    follow(accounts) {
      followed = accounts;
    },
    isUsed: () => isUsed,
    async close() {
      isClosed = true;
      const client = await opening?.catch(() => undefined);
      await client?.disconnect().catch(() => undefined);
    },
  };
}

async function askOnce<S extends TSchema>(
  use: () => Promise<Client>,
  schema: S,
  fields: { readonly command: string },
): Promise<LedgerReply<Static<S>>> {
  refuseDryRun(`xrpl ${fields.command}`);
  try {
    const client = await use();
    const request = { api_version: 2, ...fields };
    const { result } = (await client.connection.request(request)) as { result: unknown };
    return Value.Check(schema, result) ? { result } : { lost: 'an answer of another shape' };
  } catch (error) {
    return failureOf(error);
  }
}

async function makeClient(url: string, log: Logger): Promise<Client> {
  const { Client: Made } = await library();
  const client = new Made(url, { timeout: TIMEOUT_MS, connectionTimeout: CONNECT_MS });
  // Without a listener an error event would end the process.
  client.on('error', (code, message) => log.warn({ code, message }, 'The XRP Ledger complains'));
  return client;
}

/** In the version that tells the hash of a transaction beside it. */
const subscription = (accounts: readonly string[]) => ({
  command: 'subscribe',
  api_version: 2,
  accounts: [...accounts],
});

async function connected(client: Client, accounts: readonly string[]): Promise<Client> {
  try {
    await client.connection.connect();
    if (accounts.length > 0) await client.connection.request(subscription(accounts));
    return client;
  } catch (error) {
    await client.disconnect().catch(() => undefined);
    throw error;
  }
}

function failureOf(error: unknown): Exclude<LedgerReply<never>, { result: unknown }> {
  const data = (error as { data?: unknown }).data as Record<string, unknown> | undefined;
  const code = data?.['error'];
  if ((error as Error).name === 'RippledError' && typeof code === 'string' && data)
    return { error: code, data };
  return { lost: error instanceof Error ? error.name : String(error) };
}
