import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { type Money, money } from '#kernel/money/money.ts';
import type { Outcome } from '#kernel/provider-call.ts';
import { cardNetwork } from '#providers/card-network/adapter.ts';
import { type CardCurrency, readCard, traceOf } from '#providers/card-network/port.ts';
import { startSandbox } from '#sandbox/host.ts';
import { cardNetworkSimulator } from '#sandbox/providers/card-network/simulator.ts';
import { testDatabase } from '#test/database.ts';

export const GOOD = '4111111111111111';
export const ALSO_GOOD = '5555555555554444';
export const DECLINED = '4000000000000002';
export const POOR = '4000000000009995';
export const SILENT = '4000000000000119';
/** Its issuer answers after the network has given up waiting. */
export const LATE = '4000000000000127';
export const CARDS = [GOOD, ALSO_GOOD, DECLINED, POOR, SILENT];

const CREDENTIALS = { CARD_NETWORK_USER: 'a-user', CARD_NETWORK_PASSWORD: 'a-password' };

/** The adapter and its simulator, over sockets and a database of their own, for tests. */
export async function testNetwork() {
  const logged: string[] = [];
  const sink = new Writable({ write: (line, _, next) => next(void logged.push(String(line))) });
  const service = await recorder();
  const database = await testDatabase();
  const { db, close: closeDb } = openDatabase(database.url, { max: 5 });
  const clock = createClock();
  const sandbox = await startSandbox({
    db,
    clock,
    log: pino({ level: 'trace' }, sink),
    host: '127.0.0.1',
    port: 0,
    simulators: [cardNetworkSimulator(CREDENTIALS)],
    serviceUrl: () => service.url,
    advance: async (seconds) => clock.advance(seconds * 1000),
  });
  const settings = {
    url: () => `${sandbox.url}/card-network`,
    user: CREDENTIALS.CARD_NETWORK_USER,
    password: CREDENTIALS.CARD_NETWORK_PASSWORD,
    acquiringBin: '408999',
  };
  const network = cardNetwork(settings);
  let references = 0;
  /** A new one for each transaction of this test. */
  const trace = () => {
    references += 1;
    return traceOf(references, clock.now());
  };
  const close = async () => {
    await sandbox.close();
    await service.close();
    await closeDb();
    await database.close();
  };
  return {
    db,
    clock,
    sandbox,
    settings,
    network,
    trace,
    close,
    logged,
    called: service.called,
    async pulled(number = GOOD, amount = usd('100.00')) {
      const charge = { trace: trace(), card: card(number), money: amount };
      return { ...charge, movement: doneBy(await network.pull(charge)) };
    },
    /** The network's rows of that name, as in `GET /cards`. */
    async transactionsOf(rrn: string): Promise<unknown[]> {
      const response = await fetch(`${sandbox.url}/cards?rrn=${rrn}`);
      return (await response.json()) as unknown[];
    },
  };
}

/** Takes the service's place, and receives every call-back. */
async function recorder() {
  const called: unknown[] = [];
  const server = createServer(async (request, response) => {
    called.push({ url: request.url, body: await json(request) });
    response.end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((closed) => void server.close(() => closed()));
  return { called, close, url: `http://127.0.0.1:${port}/api` };
}

/** Cards are parsed as of 1970, so that expired ones reach the network, too. */
export function card(number: string, expiry = '1230') {
  const read = readCard({ number, expiry, cvv: '123' }, new Date(0));
  if ('fault' in read) throw new Error(read.fault);
  return read.card;
}

export const usd = (amount: string): Money<CardCurrency> => money('USD', amount);

export function doneBy<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(`Expected done, not ${inspect(outcome)}`);
  return outcome.value;
}

export const refusal = (code: string) => ({ kind: 'refused', code });
