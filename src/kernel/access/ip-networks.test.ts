import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ipMatcher, ipNetworkOf, isWithin } from './ip-networks.ts';

const textOf = (text: string) => ipNetworkOf(text)?.text;

test('a network is an address with a length, or an address alone', () => {
  expect(textOf('203.0.113.0/24')).toBe('203.0.113.0/24');
  expect(textOf('203.0.113.7')).toBe('203.0.113.7/32');
  expect(textOf('2001:DB8:0:0::/32')).toBe('2001:db8::/32');
  expect(textOf('0.0.0.0/0')).toBe('0.0.0.0/0');
  for (const wrong of [
    '',
    '203.0.113.7/24',
    '203.0.113.0/33',
    '1.2.3',
    'here',
    '::/129',
    '::1/64',
    '1.2.3.4/-1',
    '1.2.3.4/08',
    'fe80::1%eth0',
  ])
    expect(textOf(wrong), wrong).toBe(undefined);
});

test('an address of IPv4 is the same where IPv6 carries it', () => {
  const admits = ipMatcher(['203.0.113.0/24']);
  expect(
    ['203.0.113.9', '::ffff:203.0.113.9', '203.0.114.9', '2001:db8::1', 'nonsense'].map(admits),
  ).toEqual([true, true, false, false, false]);
});

test('addresses are matched as Node matches them', () => {
  const ip = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(
      fc.array(fc.tuple(ip, fc.nat(128)), { minLength: 1, maxLength: 5 }),
      fc.array(ip),
      (nets, asked) => {
        // Node takes an address of IPv4 for one of IPv6 as well, which no list of ours means.
        const lists = { 4: new BlockList(), 6: new BlockList() };
        const texts = nets.flatMap(([address, length]) => {
          const version = isIP(address);
          const bits = version === 4 ? length % 33 : length;
          const whole = ipNetworkOf(address);
          if (!whole) return [];
          const width = BigInt((version === 4 ? 32 : 128) - bits);
          const base = (whole.address >> width) << width;
          const text = `${version === 4 ? ofIpv4(base) : ofIpv6(base)}`;
          if (version === 4) lists[4].addSubnet(text, bits, 'ipv4');
          else lists[6].addSubnet(text, bits, 'ipv6');
          return [`${text}/${bits}`];
        });
        const admits = ipMatcher(texts);
        for (const one of [...asked, ...nets.map(([address]) => address)]) {
          if (/^::(ffff:)?/i.test(one)) continue;
          expect(admits(one), `${one} in ${texts}`).toBe(
            isIP(one) === 4 ? lists[4].check(one, 'ipv4') : lists[6].check(one, 'ipv6'),
          );
        }
      },
    ),
  );
});

test('a network is within one that begins alike and is no longer', () => {
  const within = (inner: string, ...outer: string[]) =>
    isWithin(
      ipNetworkOf(inner) as never,
      outer.map((text) => ipNetworkOf(text) as never),
    );
  expect(within('10.1.0.0/16', '10.0.0.0/8')).toBe(true);
  expect(within('10.0.0.0/8', '10.1.0.0/16')).toBe(false);
  expect(within('2001:db8:1::/48', '10.0.0.0/8', '2001:db8::/32')).toBe(true);
  expect(within('::/0', '0.0.0.0/0')).toBe(false);
});

const ofIpv4 = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const ofIpv6 = (value: bigint): string =>
  Array.from({ length: 8 }, (_, n) => ((value >> BigInt(112 - 16 * n)) & 65535n).toString(16)).join(
    ':',
  );
