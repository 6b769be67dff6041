import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Addresses of a name, by the number of earlier queries; undefined for no answer at all. */
export type Names = (name: string, times: number) => readonly string[] | undefined;

export interface NameServer {
  readonly resolver: Resolver;
  /** The queries for IPv4 addresses so far. */
  readonly queries: readonly string[];
  close(): void;
}

/** A name server on a real socket whose answers a test sets, also different ones for later queries. */
export async function nameServer(names: Names): Promise<NameServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const times = queries.filter((one) => one === name).length;
    if (type === A) queries.push(name);
    // Both queries of one look-up are answered from the same set.
    const found = names(name, type === A ? times : Math.max(0, times - 1));
    if (found === undefined) return;
    const family = type === A ? 4 : type === AAAA ? 6 : 0;
    const records = found.filter((address) => isIP(address) === family).map(recordOf);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...records]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  const resolver = new Resolver({ timeout: 20_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { resolver, queries, close: () => void socket.close() };
}

const A = 1;
const AAAA = 28;

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Points back at the name of the query, with a time to live of zero. */
function recordOf(address: string): Buffer {
  const bytes = isIP(address) === 4 ? address.split('.').map(Number) : ipv6Bytes(address);
  const type = bytes.length === 4 ? A : AAAA;
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
}

function ipv6Bytes(address: string): number[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const gap = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(gap).fill('0'), ...groups(tail)];
  return all.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
