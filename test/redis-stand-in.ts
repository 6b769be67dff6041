import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface RedisStandIn {
  readonly url: string;
  /** From now on it answers nothing, and keeps its connections open. */
  hush(): void;
  close(): Promise<void>;
}

interface Entry {
  value: number;
  endsAt: number;
}

/** The commands of Redis that counting needs, in its wire protocol, for machines without Redis. */
export async function startRedisStandIn(): Promise<RedisStandIn> {
  const sockets = new Set<Socket>();
  const run = commands();
  let hushed = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    let queued: string[][] | undefined;
    let text = '';
    const answer = ([name = '', ...args]: string[]): string => {
      if (/^multi$/i.test(name)) queued = [];
      else if (/^exec$/i.test(name)) {
        const answers = (queued ?? []).map(run);
        queued = undefined;
        return `*${answers.length}\r\n${answers.join('')}`;
      } else if (queued) {
        queued.push([name, ...args]);
        return '+QUEUED\r\n';
      } else return run([name, ...args]);
      return '+OK\r\n';
    };
    socket.on('data', (chunk) => {
      if (hushed) return;
      text += chunk;
      for (let found = commandIn(text); found; found = commandIn(text)) {
        text = text.slice(found.length);
        socket.write(answer(found.words));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hush: () => {
      hushed = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The first whole command: `*2`, and then each word as `$3`, `key`. */
function commandIn(text: string): { words: string[]; length: number } | undefined {
  const lines = text.split('\r\n');
  const count = Number(lines[0]?.slice(1));
  const taken = lines.slice(0, 1 + 2 * count);
  if (!(count > 0) || lines.length <= taken.length) return undefined;
  return {
    words: taken.filter((_, n) => n > 0 && n % 2 === 0),
    length: taken.join('\r\n').length + 2,
  };
}

/** SET with EX and NX, INCRBY, PTTL and EXPIRE; other first commands of a client are accepted. */
function commands(): (words: string[]) => string {
  const entries = new Map<string, Entry>();
  const alive = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry && entry.endsAt > performance.now()) return entry;
    entries.delete(key);
    return undefined;
  };
  const put = (key: string, value: number, endsAt: number) => {
    entries.set(key, { value, endsAt });
    return value;
  };
  return ([name = '', key = '', ...args]) => {
    const entry = alive(key);
    switch (name.toLowerCase()) {
      case 'hello':
        return '-NOPROTO unsupported protocol version\r\n';
      case 'info':
        return '$9\r\nloading:0\r\n';
      case 'set':
        if (!entry) put(key, Number(args[0]), performance.now() + Number(args[2]) * 1000);
        return entry ? '$-1\r\n' : '+OK\r\n';
      case 'incrby': {
        const value = (entry?.value ?? 0) + Number(args[0]);
        return `:${put(key, value, entry?.endsAt ?? Number.POSITIVE_INFINITY)}\r\n`;
      }
      case 'pttl': {
        const left = (entry?.endsAt ?? Number.NaN) - performance.now();
        return `:${Number.isFinite(left) ? Math.ceil(left) : -1}\r\n`;
      }
      case 'expire':
        if (entry) entry.endsAt = performance.now() + Number(args[0]) * 1000;
        return ':1\r\n';
      default:
        return '+OK\r\n';
    }
  };
}
