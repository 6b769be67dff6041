import { isIP } from 'node:net';

/** Addresses that begin alike. */
export interface IpNetwork {
  /** As CIDR writes it: `203.0.113.0/24`. */
  readonly text: string;
  readonly isIpv6: boolean;
  readonly address: bigint;
  /** How many of the first bits are the network's. */
  readonly length: number;
}

const BITS = { 4: 32, 6: 128 } as const;
const CIDR = /^([0-9a-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i;

/** The network that a text names, an address alone being one; undefined where it names none, or has bits behind its length. */
export function ipNetworkOf(text: string): IpNetwork | undefined {
  const [, address = '', length] = CIDR.exec(text) ?? [];
  const version = isIP(address);
  if (version !== 4 && version !== 6) return undefined;
  const bits = length === undefined ? BITS[version] : Number(length);
  const value = version === 4 ? ipv4(address) : ipv6(address);
  if (bits > BITS[version] || value === undefined) return undefined;
  if ((value & ((1n << BigInt(BITS[version] - bits)) - 1n)) !== 0n) return undefined;
  const name = version === 4 ? address : canonicalIpv6(address);
  return { text: `${name}/${bits}`, isIpv6: version === 6, address: value, length: bits };
}

/** Whether all addresses of the network are in one of those. */
export const isWithin = (inner: IpNetwork, outer: readonly IpNetwork[]): boolean =>
  outer.some(
    ({ isIpv6, address, length }) =>
      isIpv6 === inner.isIpv6 &&
      length <= inner.length &&
      (inner.address ^ address) >> BigInt((isIpv6 ? 128 : 32) - length) === 0n,
  );

/** Whether an address is in one of the networks. A caller mostly comes from one address, whose answer is remembered. */
export function ipMatcher(texts: readonly string[]): (ip: string) => boolean {
  const networks = texts.flatMap((text) => ipNetworkOf(text) ?? []);
  let last: string | undefined;
  let admits = false;
  return (ip) => {
    if (ip !== last) {
      const network = ipNetworkOf(plainAddress(ip));
      admits = network !== undefined && isWithin(network, networks);
      last = ip;
    }
    return admits;
  };
}

/** Without its zone; of an IPv4 address that an IPv6 socket has taken, that one. */
const plainAddress = (ip: string): string =>
  ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

const ipv4 = (address: string): bigint =>
  address.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);

function ipv6(address: string): bigint | undefined {
  const groups = groupsOf(address);
  return groups?.reduce((value, group) => value * 65536n + BigInt(group), 0n);
}

const canonicalIpv6 = (address: string): string =>
  new URL(`http://[${address}]`).hostname.slice(1, -1);

function groupsOf(address: string): number[] | undefined {
  const [head = '', tail] = canonicalIpv6(address).split('::');
  const [left, right] = [head, tail ?? ''].map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16)),
  );
  if (!left || !right) return undefined;
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<number>(gap).fill(0), ...right];
}
