import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The behaviour of a made-up counterparty for a request, until it is healed. */
export type Manner =
  /** Does it and answers. */
  | 'does'
  /** Does it and cuts the connection, the first time. */
  | 'drops'
  /** Does it and answers nothing, neither then nor to a look-up. */
  | 'mute'
  /** Is cut off before it receives anything. */
  | 'never'
  | 'refuses';

export interface Counterparty {
  readonly url: string;
  /** By our reference: the number of executions, and the names of the requests. */
  readonly did: ReadonlyMap<string, readonly string[]>;
  /** From now on it executes and answers every request, except those it refuses. */
  heal(): void;
  close(): Promise<void>;
}

interface Order {
  readonly reference: string;
  /** The idempotency name: it executes the same name once. */
  readonly name: string;
  readonly manner: Manner;
}

/**
 * Another system over a real socket: `POST /do` and `GET /seen?reference=&manner=`. It stores requests by
 * reference. Each request names its behaviour, so that one server serves a whole matrix at once.
 */
export async function counterparty(): Promise<Counterparty> {
  const did = new Map<string, string[]>();
  const dropped = new Set<string>();
  const refusals = new Set<string>();
  let isHealed = false;

  /** The answer's status and body, or nothing where the connection is cut. */
  function treat({ reference, name, manner }: Order): [number, object] | undefined {
    if (manner === 'refuses') {
      refusals.add(reference);
      return [409, { code: 'CLOSED' }];
    }
    if (manner === 'never' && !isHealed) return undefined;
    const known = did.get(reference) ?? [];
    if (!known.includes(name)) did.set(reference, [...known, name]);
    const isFirst = !dropped.has(reference);
    dropped.add(reference);
    const isCut = (manner === 'drops' && isFirst) || (manner === 'mute' && !isHealed);
    return isCut ? undefined : [200, { reference }];
  }

  function tell(query: URLSearchParams): [number, object] {
    const reference = query.get('reference') ?? '';
    if (query.get('manner') === 'mute' && !isHealed) return [503, {}];
    if (did.has(reference)) return [200, { reference }];
    return refusals.has(reference) ? [409, { code: 'CLOSED' }] : [404, {}];
  }

  const answerTo = async (request: IncomingMessage): Promise<[number, object] | undefined> => {
    if (request.method === 'POST') return treat(JSON.parse(await text(request)));
    return tell(new URL(request.url ?? '', 'http://here').searchParams);
  };
  const server = createServer((request, response) => {
    void answerTo(request).then((answer) => {
      if (answer === undefined) return request.socket.destroy();
      const [status, body] = answer;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    did,
    heal() {
      isHealed = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
