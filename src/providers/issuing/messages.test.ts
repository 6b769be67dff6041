import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { unknown } from '../../kernel/provider-call.ts';
import { twoLetterCountry } from './countries.ts';
import { cardMessages } from './messages.ts';

const raw = Buffer.from('{"transactions":[]}');
const open = (secret?: string, password = 'A1-right-password-of-ours') =>
  cardMessages({ user: 'archipay', password, secret }, async () => unknown('not called'));
const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`archipay:${password}`).toString('base64')}`,
});
const right = basic('A1-right-password-of-ours');
const signedBy = (secret: string, bytes = raw) => ({
  'x-marqeta-signature': createHmac('sha256', secret).update(bytes).digest('hex'),
});

test('a call is the processor’s by its credentials, and by its signature where one is set', () => {
  expect(open().isGenuine(raw, right)).toBe(true);
  expect(open().isGenuine(raw, basic('guess'))).toBe(false);
  const secret = 'a-secret-of-sixteen-or-more';
  const signing = open(secret);
  expect(signing.isGenuine(raw, { ...right, ...signedBy(secret) })).toBe(true);
  expect(signing.isGenuine(raw, right)).toBe(false);
  expect(signing.isGenuine(raw, signedBy(secret))).toBe(false);
  expect(signing.isGenuine(raw, { ...right, ...signedBy('another-secret') })).toBe(false);
  const other = Buffer.from('{"transactions":[1]}');
  expect(signing.isGenuine(other, { ...right, ...signedBy(secret) })).toBe(false);
});

test('without a password no call is genuine', () => {
  expect(open(undefined, '').isGenuine(raw, basic(''))).toBe(false);
});

test('a country is known by two letters and by three', () => {
  const codes = ['SGP', 'sg', 'IDN', 'USA', 'GBR', 'XKX', ''];
  expect(codes.map(twoLetterCountry)).toEqual([
    ...['SG', 'SG', 'ID', 'US', 'GB', undefined, undefined],
  ]);
});

test('of a notification only whole lists of transactions are read', () => {
  const read = (text: string) => open().readNotification(Buffer.from(text));
  expect(read('{"transactions":[{"token":"t1","state":"PENDING","amount":1}]}')).toMatchObject([
    { token: 't1', state: 'PENDING' },
  ]);
  for (const text of [
    '',
    '[]',
    '{"pings":[{"token":"marqeta"}]}',
    '{"transactions":[{"token":1}]}',
  ])
    expect(read(text)).toEqual([]);
});
