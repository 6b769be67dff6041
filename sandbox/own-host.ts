import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a listener on that address is open to other machines. */
export const isExposed = (host: string): boolean => !LOCAL_NAMES.includes(host) && host !== '::1';

/**
 * Accepts only requests that name the sandbox by its own host name. A browser on this machine
 * reaches it too, on behalf of any page: by a name that its owner makes point here, or by a request
 * that needs no leave. Where it listens beyond this machine, ports may be mapped, and its address is
 * as good as its name, since no page can make a browser take an address for its own.
 */
export function refuseForeign(server: FastifyInstance, listening: string): void {
  server.addHook('onRequest', async ({ headers, socket }, reply) => {
    const host = headers.host?.toLowerCase() ?? '';
    if (!isOurs(listening, host, socket.localPort)) {
      const error = `The sandbox answers at http://localhost:${socket.localPort} only`;
      return reply.code(421).send({ error, code: 'MISDIRECTED_REQUEST' });
    }
    if (headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${host}`)
      return reply.code(403).send({ error: 'This page is not the sandbox’s', code: 'FORBIDDEN' });
    return undefined;
  });
}

function isOurs(listening: string, host: string, port: number | undefined): boolean {
  const exposed = isExposed(listening);
  const [, name = '', given = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [];
  if (exposed && (name === listening || isIP(name.replace(/^\[|\]$/g, '')) > 0)) return true;
  return LOCAL_NAMES.includes(name) && (exposed || Number(given) === port);
}

/** The same rule for what is no request of HTTP to the end; a page may not open a WebSocket at all. */
export const isForeign =
  (listening: string) =>
  ({ headers, socket }: IncomingMessage): boolean =>
    headers.origin !== undefined ||
    !isOurs(listening, headers.host?.toLowerCase() ?? '', socket.localPort);
