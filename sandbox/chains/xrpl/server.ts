import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Faults } from '#sandbox/faults.ts';
import {
  COMMANDS,
  closedNews,
  type Request,
  type SimulatedXrplAnswer,
  shownSimulatedXrpl,
  submitted,
} from './commands.ts';
import type { Applied, Ledger } from './ledger.ts';
import { SIMULATED_XRPL_PROVIDER } from './state.ts';

const MESSAGE_MAX = 64 * 1024;
const FOLLOWED_MAX = 100;

interface Client {
  readonly accounts: Set<string>;
  readonly streams: Set<string>;
}

export interface XrplServer {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Tells those who follow its accounts of a transaction that came into a ledger. */
  publish(applied: Applied): void;
  close(): void;
}

const TICK_MS = 500;

/** Speaks rippled's commands over WebSocket. Nothing is loaded before the first client comes. */
export function createSimulatedXrplServer(ledger: Ledger, faults: Faults): XrplServer {
  const clients = new Map<WebSocket, Client>();
  let opened: Promise<import('ws').WebSocketServer> | undefined;
  const open = async () => {
    const { WebSocketServer } = await import('ws');
    return new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX });
  };

  function publish(applied: Applied): void {
    const { tx_json, meta, hash, ledger_index, ledger_hash } = shownSimulatedXrpl(applied);
    const told = { tx_json, meta, hash, ledger_index, ledger_hash, validated: true };
    for (const [socket, { accounts, streams }] of clients) {
      if (streams.has('transactions') || applied.accounts.some((one) => accounts.has(one)))
        socket.send(JSON.stringify({ type: 'transaction', engine_result: 'tesSUCCESS', ...told }));
    }
  }

  /** One after the other, as they close, for as long as a client follows the stream. */
  let seen = 0;
  const ticking = setInterval(() => void tick().catch(() => undefined), TICK_MS).unref();
  async function tick(): Promise<void> {
    const followers = [...clients].filter(([, { streams }]) => streams.has('ledger'));
    if (followers.length === 0) {
      seen = 0;
      return;
    }
    const head = await ledger.head();
    if (seen === 0) seen = head.index - 1;
    if (head.index <= seen) return;
    seen = head.index;
    const news = { type: 'ledgerClosed', ...(await closedNews(ledger, head)) };
    for (const [socket] of followers) socket.send(JSON.stringify(news));
  }

  const session = { ledger, faults, publish };

  return {
    publish,
    close: () => clearInterval(ticking),
    async upgrade(request, socket, head) {
      opened ??= open();
      const server = await opened;
      server.handleUpgrade(request, socket, head, (accepted) => {
        const client = { accounts: new Set<string>(), streams: new Set<string>() };
        clients.set(accepted, client);
        accepted.on('close', () => clients.delete(accepted));
        accepted.on('error', () => accepted.terminate());
        accepted.on(
          'message',
          (data) => void receive(session, { socket: accepted, client }, String(data)),
        );
      });
    },
  };
}

interface Session {
  readonly ledger: Ledger;
  readonly faults: Faults;
  publish(applied: Applied): void;
}

async function receive(
  session: Session,
  { socket, client }: { readonly socket: WebSocket; readonly client: Client },
  text: string,
): Promise<void> {
  const request = parsed(text);
  if (!request) return socket.close();
  const { id, command } = request;
  if (command !== 'ping') {
    const delay = session.faults.take(SIMULATED_XRPL_PROVIDER, 'delay');
    const isRefused = session.faults.take(SIMULATED_XRPL_PROVIDER, 'refuse') !== undefined;
    if (delay) await wait(delay.ms, undefined, { ref: false });
    if (isRefused) return socket.terminate();
  }
  const told = await answer(session, client, request).catch(
    (): SimulatedXrplAnswer => ({ error: 'internal' }),
  );
  if (told === 'cut') return socket.terminate();
  const status = 'error' in told ? 'error' : 'success';
  socket.send(JSON.stringify({ id, type: 'response', status, ...told, request }));
}

async function answer(
  session: Session,
  client: Client,
  request: Request,
): Promise<SimulatedXrplAnswer | 'cut'> {
  for (const applied of await session.ledger.catchUp()) session.publish(applied);
  const { command = '' } = request;
  if (command === 'subscribe' || command === 'unsubscribe') return follow(session, client, request);
  if (command === 'submit') return submit(session, request);
  const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!known) return { error: 'unknownCmd', error_message: 'Unknown method.' };
  return known(session.ledger, request);
}

function parsed(text: string): Request | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Request) : undefined;
  } catch {
    return undefined;
  }
}

async function follow(
  { ledger }: Session,
  { accounts, streams }: Client,
  request: Request,
): Promise<SimulatedXrplAnswer> {
  const isOn = request.command === 'subscribe';
  for (const [kept, wished] of [
    [accounts, request['accounts']],
    [streams, request['streams']],
  ] as const)
    for (const name of Array.isArray(wished) ? wished.slice(0, FOLLOWED_MAX) : [])
      isOn ? kept.add(String(name)) : kept.delete(String(name));
  if (!isOn || !streams.has('ledger')) return { result: {} };
  return { result: await closedNews(ledger, await ledger.head()) };
}

/** The faults that spoil what moves something; the others spoil whatever is asked next. */
async function submit(
  { ledger, faults, publish }: Session,
  { tx_blob }: Request,
): Promise<SimulatedXrplAnswer | 'cut'> {
  const fault = faults.take(
    SIMULATED_XRPL_PROVIDER,
    'drop',
    'error',
    'commit-then-drop',
    'late-callback',
  );
  if (fault?.kind === 'drop') return 'cut';
  if (fault?.kind === 'error') return { error: 'internal', error_message: 'Internal error.' };
  const blob = String(tx_blob);
  const done = await ledger.submit(blob, fault?.kind === 'late-callback' ? fault.ms : undefined);
  if (fault?.kind === 'commit-then-drop') return 'cut';
  if (!('invalid' in done) && done.applied) publish(done.applied);
  return submitted(done, blob);
}
