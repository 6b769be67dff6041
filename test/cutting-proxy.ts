import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** The number of client messages since the last plan. */
  said(): number;
  /**
   * All connections break after that many client messages from now, and so many further ones at once: like a killed
   * database server, at a moment of the test's choice.
   */
  cutAfter(times: number, refusals?: number): void;
  close(): void;
}

/** Stands before a database. */
export async function cuttingProxy(url: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let [said, cut, refusals] = [0, Number.POSITIVE_INFINITY, 0];
  const cutAll = () => {
    cut = Number.POSITIVE_INFINITY;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (cut === Number.POSITIVE_INFINITY && refusals > 0) {
      refusals -= 1;
      client.destroy();
      return;
    }
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to, { end: false });
      from.on('end', () => to.end());
    }
    client.on('data', () => {
      said += 1;
      if (said >= cut) cutAll();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    said: () => said,
    cutAfter(times, further = 0) {
      [said, cut, refusals] = [0, times, further];
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
