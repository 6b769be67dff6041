import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** A message: its kind in one byte, its length in four, and the rest of it. */
const HEADER = 5;
const SSL_REQUEST = 80_877_103;
/** Authenticated, and ready for a query. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I');

/**
 * A pooler between us and the database that hands every statement to the next of two sessions, as
 * poolers in transaction mode may.
 */
export async function transactionPooler(url: string) {
  const sessions = await Promise.all([1, 2].map(() => rawSession(url)));
  let turn = 0;
  const server = createServer((client) => {
    let rest = Buffer.alloc(0);
    let greeted = false;
    let asked: Buffer[] = [];
    let working = Promise.resolve();
    client.on('error', () => undefined);
    client.on('data', (part) => {
      rest = Buffer.concat([rest, part]);
      for (;;) {
        const start = greeted ? 1 : 0;
        if (rest.length < start + 4) return;
        const length = start + rest.readInt32BE(start);
        if (rest.length < length) return;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (!greeted) {
          if (message.readInt32BE(4) === SSL_REQUEST) client.write('N');
          else {
            greeted = true;
            client.write(WELCOME);
          }
          continue;
        }
        asked.push(message);
        const kind = String.fromCharCode(message[0] ?? 0);
        if (kind === 'X') client.end();
        // A simple query, or the end of an extended one.
        if (kind !== 'Q' && kind !== 'S') continue;
        const request = Buffer.concat(asked);
        asked = [];
        working = working.then(async () => {
          turn += 1;
          const session = sessions[turn % sessions.length];
          if (session) client.write(await session.ask(request));
        });
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: pooled.href,
    close() {
      server.close();
      for (const session of sessions) session.close();
    },
  };
}

/** A session that the driver has logged in, and whose bytes are then ours. */
async function rawSession(url: string) {
  const driver = new pg.Client({ connectionString: url });
  await driver.connect();
  driver.on('error', () => undefined);
  const { stream } = driver.connection as unknown as { stream: Socket };
  stream.removeAllListeners('data');
  let answer = Buffer.alloc(0);
  let answered = (_: Buffer): void => undefined;
  stream.on('data', (part) => {
    answer = Buffer.concat([answer, part]);
    if (isComplete(answer)) answered(answer);
  });
  return {
    ask(request: Buffer): Promise<Buffer> {
      answer = Buffer.alloc(0);
      stream.write(request);
      return new Promise((resolve) => {
        answered = resolve;
      });
    },
    close: () => stream.destroy(),
  };
}

/** Whether the last message says that the session is ready again. */
function isComplete(answer: Buffer): boolean {
  let at = 0;
  let kind = 0;
  while (at + HEADER <= answer.length) {
    kind = answer[at] ?? 0;
    at += 1 + answer.readInt32BE(at + 1);
  }
  return at === answer.length && kind === 'Z'.charCodeAt(0);
}
