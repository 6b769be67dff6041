import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A message: its kind in one byte, its length in four, and the rest of it. */
const HEADER = 5;
const SSL_REQUEST = 80_877_103;
/** Authenticated, and ready for a query. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I');
/** The session settings that a pooler accepts from a client; it refuses clients with others. */
const ALLOWED = /^(user|database|client_encoding|application_name|datestyle|timezone)$/i;

const SESSIONS = 6;

interface Session {
  /** Sends a request, and answers everything until the session is ready again. Throws after its end. */
  ask(request: Buffer): Promise<Buffer>;
  close(): void;
}

const AGAIN_MS = 100;

/**
 * A pooler between us and the database in transaction mode, and a strict one: every transaction goes to
 * the session that has waited longest, and a transaction's remains in its session (settings,
 * prepared statements, locks, channels) are discarded. When the server goes down, clients in a transaction are cut, and all others wait until it is back.
 */
export async function transactionPooler(url: string) {
  let isClosed = false;
  const sessions = new Set(
    await Promise.all(Array.from({ length: SESSIONS }, () => rawSession(url))),
  );
  const refused: string[] = [];
  const free = [...sessions];
  const waiting: ((session: Session) => void)[] = [];
  const borrow = (): Promise<Session> => {
    const session = free.shift();
    return session ? Promise.resolve(session) : new Promise((resolve) => waiting.push(resolve));
  };
  /** A new one in place of an ended one. */
  const replaced = async (session: Session): Promise<Session> => {
    sessions.delete(session);
    while (!isClosed) {
      const made = await rawSession(url).catch(() => undefined);
      if (made) sessions.add(made);
      if (made) return made;
      await pause(AGAIN_MS);
    }
    return session;
  };
  const giveBack = async (session: Session): Promise<void> => {
    const empty = await session.ask(simple('discard all')).then(
      () => session,
      () => replaced(session),
    );
    const next = waiting.shift();
    if (next) next(empty);
    else free.push(empty);
  };
  let transactions = 0;
  const server = createServer((client) => {
    let session: Session | undefined;
    let working = Promise.resolve();
    const end = async (): Promise<void> => {
      const ending = session;
      session = undefined;
      if (!ending) return;
      await ending.ask(simple('rollback')).catch(() => undefined);
      await giveBack(ending);
    };
    const work = (job: () => Promise<void>) => {
      working = working.then(job).catch(() => {
        client.destroy();
        return end();
      });
    };
    client.on('error', () => undefined);
    client.on('close', () => work(end));
    read(client, refused, (request) =>
      work(async () => {
        if (client.destroyed && !session) return;
        if (!session) transactions += 1;
        session ??= await borrow();
        const answer = await session.ask(request);
        if (!client.destroyed) client.write(answer);
        if (!isIdle(answer)) return;
        const used = session;
        session = undefined;
        await giveBack(used);
      }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: pooled.href,
    /** Session settings of clients that a pooler does not know. */
    refused,
    transactions: () => transactions,
    close() {
      isClosed = true;
      server.close();
      for (const session of sessions) session.close();
    },
  };
}

/** Greets a client, and forwards each of its requests as a whole. */
function read(client: Socket, refused: string[], request: (whole: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  let greeted = false;
  let messages: Buffer[] = [];
  const greet = (message: Buffer): void => {
    if (message.readInt32BE(4) === SSL_REQUEST) return void client.write('N');
    const words = message.subarray(8).toString().split('\0');
    const unknown = words.filter((word, i) => i % 2 === 0 && word !== '' && !ALLOWED.test(word));
    refused.push(...unknown);
    greeted = true;
    if (unknown.length === 0) client.write(WELCOME);
    else client.end(failure(`unsupported startup parameter: ${unknown}`));
  };
  const take = (message: Buffer): void => {
    messages.push(message);
    const kind = String.fromCharCode(message[0] ?? 0);
    if (kind === 'X') client.end();
    // A simple query, or the end of an extended one.
    if (kind !== 'Q' && kind !== 'S') return;
    request(Buffer.concat(messages));
    messages = [];
  };
  client.on('data', (part) => {
    rest = Buffer.concat([rest, part]);
    for (;;) {
      const start = greeted ? 1 : 0;
      if (rest.length < start + 4) return;
      const length = start + rest.readInt32BE(start);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (greeted) take(message);
      else greet(message);
    }
  });
}

const framed = (kind: string, body: string): Buffer => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(HEADER);
  head.write(kind);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const simple = (text: string): Buffer => framed('Q', `${text}\0`);
const failure = (text: string): Buffer => framed('E', `SFATAL\0C08P01\0M${text}\0\0`);

/** A session that the driver has logged in, and whose bytes are then ours. */
async function rawSession(url: string): Promise<Session> {
  const driver = new pg.Client({ connectionString: url, application_name: 'pooler' });
  await driver.connect();
  driver.on('error', () => undefined);
  const { stream } = driver.connection as unknown as { stream: Socket };
  stream.removeAllListeners('data');
  let parts: Buffer[] = [];
  let answered = (_: Buffer): void => undefined;
  let failed = (_: Error): void => undefined;
  let isOver = false;
  stream.on('close', () => {
    isOver = true;
    failed(new Error('The server has ended the session'));
  });
  stream.on('data', (part) => {
    parts.push(part);
    const answer = Buffer.concat(parts);
    parts = [answer];
    if (statusOf(answer) !== undefined) answered(answer);
  });
  return {
    ask(request: Buffer): Promise<Buffer> {
      parts = [];
      return new Promise((resolve, reject) => {
        if (isOver) return reject(new Error('The session is over'));
        [answered, failed] = [resolve, reject];
        stream.write(request);
      });
    },
    close: () => stream.destroy(),
  };
}

/** Of the transaction, by the last message, when that says that the session is ready again. */
function statusOf(answer: Buffer): string | undefined {
  let at = 0;
  let kind = 0;
  while (at + HEADER <= answer.length) {
    kind = answer[at] ?? 0;
    at += 1 + answer.readInt32BE(at + 1);
  }
  if (at !== answer.length || kind !== 'Z'.charCodeAt(0)) return undefined;
  return String.fromCharCode(answer.at(-1) ?? 0);
}

const isIdle = (answer: Buffer): boolean => statusOf(answer) === 'I';
