import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { atEnd } from '#test/at-end.ts';

/** A `fetch` for libraries that name their host in code: the path stays, the host becomes the simulator's. */
export const redirected =
  (base: string): typeof fetch =>
  (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return fetch(`${base}${pathname}${search}`, init);
  };

/** A server that passes each request on to that address, for libraries that let only their socket be replaced. */
export async function forwarder(base: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const kept = ['authorization', 'content-type'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const body = method === 'GET' ? {} : { body: await text(request) };
    const reply = await fetch(`${base}${url}`, {
      method,
      headers: Object.fromEntries(kept),
      ...body,
    });
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
