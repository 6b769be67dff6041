import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface ConnectProxy {
  readonly url: string;
  /** The targets of its CONNECT requests, in order. */
  readonly targets: { readonly authority: string; readonly headers: IncomingHttpHeaders }[];
  close(): void;
}

/** The target's port on this machine, or the status of a refusal. */
type Way = (authority: string) => number | { readonly port: number };

/** An HTTP proxy that knows only CONNECT, in front of a network that a test makes up. */
export async function connectProxy(way: Way): Promise<ConnectProxy> {
  const targets: ConnectProxy['targets'] = [];
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, socket) => {
    const { url: authority = '', headers } = request;
    targets.push({ authority, headers });
    const found = way(authority);
    if (typeof found === 'number') {
      socket.end(`HTTP/1.1 ${found} No\r\n\r\n`);
      return;
    }
    const there = connect(found.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(there).pipe(socket);
    });
    const end = () => {
      there.destroy();
      socket.destroy();
    };
    for (const side of [there, socket]) side.on('error', end).on('close', end);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    targets,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The port of an address on this machine. */
export const portOf = (url: string): number => Number(new URL(url).port);
