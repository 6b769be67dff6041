import { expect, test } from 'vitest';
import { networkOf, siteOf } from './network.ts';

test('all addresses of one IPv6 subscriber are one, and those of another are not', () => {
  const home = networkOf('2001:db8:0:1::1');
  expect(networkOf('2001:0DB8:0000:0001:ffff:ffff:ffff:ffff')).toBe(home);
  expect(networkOf('2001:db8::1:0:0:0:7%eth0')).toBe(home);
  expect(networkOf('2001:db8:0:2::1')).not.toBe(home);
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
});

test('an IPv4 address stands for itself, also where a socket writes it as IPv6', () => {
  expect(networkOf('203.0.113.7')).toBe('203.0.113.7');
  expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(networkOf('203.0.113.8')).not.toBe('203.0.113.7');
});

test('what a proxy made up is no longer than an address', () => {
  expect(networkOf('x'.repeat(5000)).length).toBeLessThanOrEqual(64);
  expect(networkOf(`${'f:'.repeat(5000)}`).length).toBeLessThanOrEqual(64);
});

test('what surrounds an IPv6 network is its /48, and nothing is around an IPv4 address', () => {
  expect(siteOf('2001:db8:7:1::1')).toBe('2001:db8:7::/48');
  expect(siteOf('2001:0DB8:0007:ffff::9')).toBe('2001:db8:7::/48');
  expect(siteOf('2001:db8:8:1::1')).toBe('2001:db8:8::/48');
  for (const ip of ['203.0.113.7', '::ffff:203.0.113.7', 'garbage', ':::'])
    expect(siteOf(ip)).toBe(undefined);
});
