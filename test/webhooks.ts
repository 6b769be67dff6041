import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { emit } from '#kernel/events/emit.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { transact } from '#kernel/transact.ts';
import type { MoreFeatures } from '#src/app/app.ts';
import { happened } from './events.ts';
import type { Body, Harness, Person } from './harness.ts';

/** A feature that emits `test.happened`. */
export const happening: MoreFeatures = () => [{ name: 'happening', events: [happened] }];

export interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
  /** `7` of the object `test:7`. */
  readonly object: string;
  readonly nth: number;
}

export type Answer = (arrival: Arrival, response: ServerResponse) => unknown;

export interface Receiver {
  readonly url: string;
  readonly arrivals: Arrival[];
  /** Its answers from now on; 204 by default. */
  answer: Answer;
  /** Ends when the condition holds; checked at each arrival. */
  until(isSo: () => boolean): Promise<void>;
  /** Ends when so many have arrived. */
  arrived(count: number): Promise<void>;
}

/** A receiver, which stores deliveries. */
export async function receiver(answer: Answer = accept): Promise<Receiver> {
  const waiting = new Set<() => void>();
  const made: { -readonly [K in keyof Receiver]: Receiver[K] } = {
    url: '',
    arrivals: [],
    answer,
    arrived: (count) => made.until(() => made.arrivals.length >= count),
    until: (isSo) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isSo()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const body = JSON.parse(text);
      const { headers } = request;
      const arrival = { headers, text, body, object: body.object?.id ?? '', nth: body.data?.nth };
      made.arrivals.push(arrival);
      made.answer(arrival, response);
      for (const look of [...waiting]) look();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return made;
}

export const accept: Answer = (_arrival, response) => response.writeHead(204).end();
export const refuse =
  (status = 500, headers: Record<string, string> = {}): Answer =>
  (_arrival, response) =>
    response.writeHead(status, headers).end('not now');

/** Whether that secret has signed, by the library's own signature, since it uses the machine's time only. */
export const isSignedBy = ({ text, headers }: Arrival, secret: string): boolean => {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const right = new Webhook(secret).sign(String(headers['webhook-id']), at, text);
  return String(headers['webhook-signature']).split(' ').includes(right);
};

/** The delivery, verified by the specification's library as a receiver does; throws for an invalid one. */
export const verified = ({ text, headers }: Arrival, secret: string): Body =>
  new Webhook(secret).verify(text, headers as Record<string, string>);

/** Emits the `nth` event of a client's object. */
export const tell = (h: Harness, client_id: number, id: string | number, nth: number) =>
  transact(h.db, async (tx) => {
    emit(tx, happened, { client_id, id, data: { writer: 1, nth } });
  });

/** Moves events to the log, delivers them, and runs the jobs that follow. */
export async function deliver(h: Harness): Promise<void> {
  for (let served: number | undefined; ; ) {
    await h.drain();
    await h.kernel.events.settle();
    // Not by the number moved just now: the service moves them, too.
    const [head] = await run<Row<'events.head', 'position'>>(
      h.db,
      'select position from events.head',
      [],
    );
    if (head?.position === served) return;
    for (const runner of h.app.features.runners) await runner.drain();
    served = head?.position;
  }
}

/** Moves the clock, and delivers due events. */
export async function later(h: Harness, seconds: number): Promise<void> {
  await h.advance(seconds);
  await deliver(h);
}

export type Made = Body & { readonly endpoint_id: string; readonly secret: string };

export async function endpointOf(h: Harness, as: Person, fields: object): Promise<Made> {
  const body = { types: ['test.*'], ...fields };
  const [status, answer] = await h.call('POST /webhook-endpoints', { as, body });
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data;
}

const ONE = '/webhook-endpoints/{endpoint_id}';

/** Calls a control of one endpoint; answers the data. */
export async function with1(
  h: Harness,
  as: Person,
  endpoint_id: string,
  [method, rest, body]: readonly [string, string, object?],
): Promise<Body> {
  const options = { as, params: { endpoint_id }, ...(body ? { body } : {}) };
  const [status, answer] = await h.call(`${method} ${ONE}${rest}` as RouteId, options);
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(answer)}`);
  return answer.data;
}

export const admin = async (h: Harness): Promise<Person> => h.user({ role: 'admin' });
