import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Stands before a database. It can drop all traffic silently, as firewalls do, and take the
 * database away and bring it back, as a restart or a failover does.
 */
export async function silentProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const silenced = new Set<Socket>();
  let away = false;
  let fatal: string | undefined;
  let staysAway = true;
  const end = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => undefined);
    if (away) return client.destroy();
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('end', () => silenced.has(from) || to.end());
      from.on('error', () => undefined);
    }
    let last = false;
    client.on('data', (part) => {
      if (silenced.has(client)) return;
      upstream.write(part);
      if (fatal === undefined || !part.includes(fatal)) return;
      [last, fatal] = [true, undefined];
    });
    upstream.on('data', (part) => {
      if (last && staysAway) {
        away = true;
        end();
      } else if (last) {
        client.destroy();
        upstream.destroy();
      } else if (!silenced.has(upstream)) client.write(part);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    /** For existing connections; new ones work. */
    silence() {
      for (const socket of sockets) silenced.add(socket);
    },
    /** Ends all connections, and each new one at once. */
    takeAway() {
      away = true;
      end();
    },
    /** The same after the database has executed the statement with that text, instead of its answer. */
    takeAwayAfter(text: string) {
      [fatal, staysAway] = [text, true];
    },
    /** Ends only the connection that sends that text, instead of the answer to it. */
    loseAnswerTo(text: string) {
      [fatal, staysAway] = [text, false];
    },
    giveBack() {
      away = false;
    },
    close() {
      end();
      server.close();
    },
  };
}
