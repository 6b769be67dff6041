import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { median, type Work } from '../meter.ts';
import { FRESH_KEY } from './fresh-key.ts';

/** The load generator's process: a closed loop of keep-alive connections, no pipelining. */

export interface Target {
  /** Connections are distributed over them. */
  readonly ports: readonly number[];
  /** Whole requests as text, sent in turn; each time with a key of its own in place of `FRESH_KEY`. */
  readonly requests: readonly string[];
}
export interface Order {
  readonly target: string;
  /** Sent with the first use of a target. */
  readonly define?: Target;
  readonly connections: number;
  readonly ms: number;
}
export type Answer = { readonly work: Work } | { readonly error: string };

interface Known {
  readonly ports: readonly number[];
  readonly requests: readonly Buffer[];
}
const targets = new Map<string, Known>();
const HEAD_END = '\r\n\r\n';

process.on('message', async (order: Order) => {
  const answer: Answer = await run(order).then(
    (work) => ({ work }),
    (error: Error) => ({ error: `${order.target}: ${error.message}` }),
  );
  process.send?.(answer);
});
process.on('disconnect', () => process.exit());

async function run({ target, define, connections, ms }: Order): Promise<Work> {
  if (define) {
    const requests = define.requests.map((text) => Buffer.from(text));
    targets.set(target, { ports: define.ports, requests });
  }
  const known = targets.get(target);
  if (!known) throw new Error('is not known');
  const waits: number[] = [];
  const start = performance.now();
  const until = start + ms;
  if (connections > 1) stayAwake(until);
  await Promise.all(
    Array.from({ length: connections }, (_, lane) => drive(known, { lane, until, waits })),
  );
  const seconds = (performance.now() - start) / 1000;
  return { units: waits.length, seconds, p50Ms: median(waits) };
}

/**
 * Waking a sleeping reader is charged to the writer, a third of a small answer's cost here. A slow
 * server would pay it for each answer and a fast one, whose reader never rests, for none; with a
 * reader that never sleeps all sides are charged for their own work. On one connection every reader rests after
 * each answer, so the comparison is fair there, and staying awake would only occupy a core.
 */
function stayAwake(until: number): void {
  if (performance.now() < until) setImmediate(stayAwake, until);
}

interface Lane {
  readonly lane: number;
  readonly until: number;
  readonly waits: number[];
}

/** One connection. Any answer but a 2xx ends the burst: failures are fast, and count for nothing. */
function drive({ ports, requests }: Known, { lane, until, waits }: Lane): Promise<void> {
  return new Promise((resolve, reject) => {
    const port = ports[lane % ports.length] ?? 0;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let next = lane * 31;
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(fresh(requests[next++ % requests.length] ?? Buffer.alloc(0)));
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server hung up')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const length = lengthOf(received);
      if (length === undefined || received.length < length) return;
      if (received[9] !== 0x32) {
        reject(new Error(received.toString('utf8').slice(0, 1000)));
        socket.destroy();
        return;
      }
      received = Buffer.alloc(0);
      const now = performance.now();
      waits.push(now - sentAt);
      if (now < until) return send();
      resolve();
      socket.destroy();
    });
  });
}

function fresh(request: Buffer): Buffer {
  const at = request.indexOf(FRESH_KEY);
  if (at < 0) return request;
  const copy = Buffer.from(request);
  copy.write(randomUUID(), at);
  return copy;
}

/** Bytes of the whole answer; undefined before its head is complete. */
function lengthOf(received: Buffer): number | undefined {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [, length] = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end)) ?? [];
  if (length === undefined) throw new Error('An answer without a length');
  return end + HEAD_END.length + Number(length);
}
