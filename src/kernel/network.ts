import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const ADDRESS_MAX = 64;

/**
 * Whom an address stands for: one subscriber has a whole /64 of IPv6 addresses,
 * which therefore count as one wherever attempts or requests are counted.
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip.slice(0, ADDRESS_MAX);
  const mapped = MAPPED.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return ip.slice(0, ADDRESS_MAX);
  const [head = '', tail = ''] = (ip.split('%')[0] ?? '').split('::');
  const [left, right] = [head, tail].map((part) => part.split(':').filter(Boolean));
  const gap = 8 - (left?.length ?? 0) - (right?.length ?? 0);
  const groups = [...(left ?? []), ...Array<string>(Math.max(0, gap)).fill('0'), ...(right ?? [])];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * What surrounds an IPv6 network: one customer may have a whole /48, 65,536 networks. Undefined for
 * IPv4, where addresses are scarce.
 */
export function siteOf(ip: string): string | undefined {
  const [, site] = /^(\w+:\w+:\w+):\w+::\/64$/.exec(networkOf(ip)) ?? [];
  return site === undefined ? undefined : `${site}::/48`;
}

/** The /24 of an IPv4 address or the /56 of an IPv6 one: enough to recognise an office, too little for a person. */
export function surroundingOf(ip: string): string {
  const network = networkOf(ip);
  if (!network.includes(':')) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = network.replace('::/64', '').split(':');
  const last = Number.parseInt(groups[3] ?? '0', 16) & 0xff00;
  return `${[...groups.slice(0, 3), last.toString(16)].join(':')}::/56`;
}
