import { BlockList, isIP } from 'node:net';

/** Who is behind an address: anybody, this very machine, or something that only we can see. */
export type AddressScope = 'public' | 'loopback' | 'private';

/** What the registries of special addresses keep from the public (RFC 6890 and later ones). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Inside of 2000::/3, outside of which nothing is public: tunnels, documentation, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4');
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6');
const publicIpv6 = listOf(['2000::/3'], 'ipv6');
const loopbackIpv4 = listOf(['127.0.0.0/8'], 'ipv4');

/** An address as any library spells it. What is none counts as private. */
export function addressScopeOf(address: string): AddressScope {
  const plain = unmapped(address);
  if (isIP(plain) === 4) {
    if (loopbackIpv4.check(plain, 'ipv4')) return 'loopback';
    return specialIpv4.check(plain, 'ipv4') ? 'private' : 'public';
  }
  if (isIP(plain) !== 6) return 'private';
  if (plain === '::1') return 'loopback';
  const isPublic = publicIpv6.check(plain, 'ipv6') && !specialIpv6.check(plain, 'ipv6');
  return isPublic ? 'public' : 'private';
}

/**
 * The IPv4 address inside of `::ffff:127.0.0.1` and its other spellings: the lists would take the whole
 * of `::ffff:0:0/96` for every IPv4 address. Others in their shortest form.
 */
function unmapped(address: string): string {
  if (isIP(address) !== 6) return address;
  const [bare = ''] = address.split('%');
  const shortest = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(shortest) ?? [];
  if (high === undefined || low === undefined) return shortest;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

function listOf(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
