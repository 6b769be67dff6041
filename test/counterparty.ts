import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How a made-up counterparty treats what it is asked for, until it is healed. */
export type Manner =
  /** Does it and says so. */
  | 'does'
  /** Does it and cuts the connection, the first time. */
  | 'drops'
  /** Does it and says nothing, neither then nor when it is asked. */
  | 'mute'
  /** Is cut off before it has heard anything. */
  | 'never'
  | 'refuses';

export interface Counterparty {
  readonly url: string;
  /** By our reference: how often it was done, in the names it was asked for under. */
  readonly did: ReadonlyMap<string, readonly string[]>;
  /** From now on it does and says what it is asked for, except what it refuses. */
  heal(): void;
  close(): Promise<void>;
}

interface Order {
  readonly reference: string;
  /** What it knows a repetition by: the same name is done once. */
  readonly name: string;
  readonly manner: Manner;
}

/**
 * Somebody else's system over a real socket: `POST /do` and `GET /seen?reference=&manner=`. It remembers
 * what it was told by reference. Each order names the manner it is treated in, so that one server serves
 * a whole matrix at once.
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
