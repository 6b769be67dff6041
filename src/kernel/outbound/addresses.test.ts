import { expect, test } from 'vitest';
import { nameServer } from '#test/name-server.ts';
import { addressScopeOf } from './addresses.ts';
import { lookUpBy } from './connect.ts';
import { createOutbound, type Outbound } from './outbound.ts';
import { BLOCKED } from './target.ts';

const strict = { plainHttp: true, ports: 'any' as const, loopback: false, allowed: () => [] };

const blockedOf = async (outbound: Outbound, url: string) => {
  const said = outbound.refusal(url);
  // There are words for it, for whoever named it.
  expect(said && BLOCKED[said]).toMatch(/^[a-z].*[\w/]$/);
  const [got, posted] = await Promise.all([
    outbound.get({ name: 'test', url }),
    outbound.post({ name: 'test', url, headers: {}, body: '' }),
  ]);
  for (const answer of [got, posted]) expect(answer).toEqual({ kind: 'blocked', why: said });
  return said;
};

/** Everything that is this machine, its network, or nobody's, as somebody may write it. */
const PRIVATE_SPELLINGS = [
  'http://127.0.0.1',
  'http://127.0.0.1:8080/path',
  'http://127.1',
  'http://127.0.1',
  'http://2130706433',
  'http://0x7f000001',
  'http://0x7f.1',
  'http://0177.0.0.1',
  'http://017700000001',
  'http://%31%32%37.0.0.1',
  'http://①②⑦.⓪.⓪.①',
  'http://127。0。0。1',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1',
  'ht\ntp://127.0.\t0.1',
  'http://0',
  'http://0.0.0.0',
  'http://255.255.255.255',
  'http://10.0.0.1',
  'http://172.16.0.1',
  'http://172.31.255.255',
  'http://192.168.1.1',
  'http://169.254.169.254/latest/meta-data',
  'http://0xa9fea9fe',
  'http://100.64.0.1',
  'http://100.100.100.200',
  'http://192.0.0.192',
  'http://192.0.2.1',
  'http://192.88.99.1',
  'http://198.18.0.1',
  'http://198.51.100.7',
  'http://203.0.113.9',
  'http://224.0.0.1',
  'http://240.0.0.1',
  'http://localhost',
  'http://LOCALHOST.',
  'http://anything.localhost',
  'http://[::]',
  'http://[::1]',
  'http://[0:0:0:0:0:0:0:1]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[::FFFF:10.0.0.1]',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]',
  'http://[::127.0.0.1]',
  'http://[64:ff9b::7f00:1]',
  'http://[64:ff9b:1::7f00:1]',
  'http://[100::1]',
  'http://[2001::7f00:1]',
  'http://[2001:db8::1]',
  'http://[2002:7f00:1::]',
  'http://[3fff::1]',
  'http://[fc00::1]',
  'http://[fd00:ec2::254]',
  'http://[fe80::1]',
  'http://[fec0::1]',
  'http://[ff02::1]',
];

test.each(PRIVATE_SPELLINGS)('%s is not called', async (url) => {
  const outbound = createOutbound(strict);
  expect(await blockedOf(outbound, url)).toBe('private-address');
  await outbound.close();
});

test('addresses of everybody are public, in either family', () => {
  for (const address of ['1.1.1.1', '9.255.255.255', '172.32.0.1', '192.169.0.1', '100.128.0.1'])
    expect(addressScopeOf(address), address).toBe('public');
  for (const address of ['2606:4700::1111', '2a00:1450::1', '::ffff:1.1.1.1', '::ffff:101:101'])
    expect(addressScopeOf(address), address).toBe('public');
});

test('what a socket says its other end is, is understood in all forms', () => {
  const reaches = ['::ffff:127.0.0.1', '127.0.0.53', '::1', 'fe80::1%eth0', '', 'x'].map(
    addressScopeOf,
  );
  expect(reaches).toEqual(['loopback', 'loopback', 'loopback', 'private', 'private', 'private']);
});

test.each([
  ['no-such-thing', 'not-a-url'],
  ['/relative', 'not-a-url'],
  ['http://', 'not-a-url'],
  ['http://256.1.1.1', 'not-a-url'],
  ['http://[::1', 'not-a-url'],
  ['ftp://example.com', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1', 'scheme'],
  ['data:text/plain,x', 'scheme'],
  ['http://example.com', 'scheme'],
  ['https://user@example.com', 'user-info'],
  ['https://user:password@example.com', 'user-info'],
  ['https://example.com@127.0.0.1', 'user-info'],
  ['https://example.com:22', 'port'],
  ['https://example.com:80', 'port'],
  ['https://example.com:65535', 'port'],
  ['https://127.0.0.1:8443', 'private-address'],
  [`https://example.com/${'x'.repeat(2048)}`, 'too-long'],
])('%s is refused: %s', async (url, why) => {
  const production = { ...strict, plainHttp: false, ports: [443, 8443] };
  const outbound = createOutbound(production);
  expect(await blockedOf(outbound, url)).toBe(why);
  await outbound.close();
});

test.each([
  ['one private address', ['10.0.0.1']],
  ['loopback', ['127.0.0.1']],
  ['loopback in IPv6', ['::1']],
  ['a mapped address', ['::ffff:127.0.0.1']],
  ['link-local', ['169.254.169.254']],
  ['a public address and a private one', ['1.1.1.1', '192.168.0.1']],
  ['a public address, and a private one in IPv6', ['1.1.1.1', 'fd00::1']],
])('a name that leads to %s is not called', async (_what, addresses) => {
  const names = await nameServer(() => addresses);
  const outbound = createOutbound({ ...strict, lookUp: lookUpBy(names.resolver) });
  // By itself the name is as good as any.
  expect(outbound.refusal('https://pay.example.com')).toBeUndefined();
  const answer = await outbound.get({ name: 'test', url: 'http://pay.example.com:9' });
  expect(answer).toEqual({ kind: 'blocked', why: 'private-address' });
  const posted = { name: 'test', url: 'https://pay.example.com', headers: {}, body: '' };
  expect(await outbound.post(posted)).toEqual({ kind: 'blocked', why: 'private-address' });
  names.close();
  await outbound.close();
});

test('a name that there is not is told apart from one that is refused', async () => {
  const names = await nameServer(() => []);
  const outbound = createOutbound({ ...strict, lookUp: lookUpBy(names.resolver) });
  const answer = await outbound.get({ name: 'test', url: 'http://nowhere.example.com' });
  expect(answer).toEqual({ kind: 'lost', cause: 'ENODATA' });
  names.close();
  await outbound.close();
});
