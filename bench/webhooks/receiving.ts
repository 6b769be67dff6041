import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrived {
  readonly id: string;
  readonly object: string;
  readonly nth: number;
  /** From the event's own time until now. */
  readonly ms: number;
}

export interface Receiving {
  url(path: string): string;
  readonly arrivals: Arrived[];
  /** Paths that never answer from now on. */
  readonly hanging: Set<string>;
  /** Resolves when the condition holds; checked at each arrival. */
  until(isSo: () => boolean): Promise<void>;
  close(): void;
}

/** The clock of all processes of this machine, finer than a millisecond. */
export const preciseMs = (): number => performance.timeOrigin + performance.now();

/** Receives webhooks and records the time of each. */
export async function receiving(): Promise<Receiving> {
  const arrivals: Arrived[] = [];
  const hanging = new Set<string>();
  const looks = new Set<() => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (hanging.has(request.url ?? '')) return;
      const { id, object, data } = JSON.parse(Buffer.concat(parts).toString());
      arrivals.push({ id, object: object.id, nth: data.nth, ms: preciseMs() - data.at });
      response.writeHead(204).end();
      for (const look of [...looks]) look();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    arrivals,
    hanging,
    until: (isSo) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isSo()) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
