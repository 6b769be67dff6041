import { createHash, randomBytes } from 'node:crypto';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { expect, test } from 'vitest';
import {
  badMnemonic,
  KNOWN_MNEMONICS,
  weakMasterKey,
  weakMnemonic,
  weakText,
} from './weak-secrets.ts';

const key = (bytes: Iterable<number>) => `1:${Buffer.from([...bytes]).toString('base64')}`;
const filled = (byte: (i: number) => number) => key(Array.from({ length: 32 }, (_, i) => byte(i)));

/** As good as drawn at random, and the same in every run: one draw in ten million looks weak. */
const drawn = (i: number) => createHash('sha256').update(`draw ${i}`).digest();

test('what is drawn at random is taken', () => {
  for (let i = 0; i < 2000; i += 1) {
    const bytes = drawn(i);
    expect(weakMasterKey(key(bytes)), key(bytes)).toBeUndefined();
    for (const text of [bytes.toString('base64'), bytes.toString('hex'), bytes.toString('hex', 16)])
      expect(weakText(text), text).toBeUndefined();
  }
  for (const length of [16, 24, 32])
    for (let i = 0; i < 200; i += 1) {
      const words = entropyToMnemonic(drawn(i).subarray(0, length), wordlist);
      expect(weakMnemonic(words) ?? badMnemonic(words), words).toBeUndefined();
    }
});

test('keys that were not drawn at random are refused', () => {
  const counting = [(i: number) => i, (i: number) => 255 - i, (i: number) => i * 7];
  for (const byte of [() => 0, () => 7, (i: number) => i % 8, ...counting])
    expect(weakMasterKey(filled(byte))).toBeDefined();
  expect(weakMasterKey(key(Buffer.from('My-company-keeps-its-money-here!')))).toContain('text');
});

test('an old key may be weak, because what it sealed must still be opened; the newest may not', () => {
  const [weak, strong] = [filled(() => 7), key(randomBytes(32)).replace('1:', '2:')];
  expect(weakMasterKey(`${strong},${weak}`)).toBeUndefined();
  expect(weakMasterKey(`${weak},${strong}`)).toBeDefined();
});

test.each([
  'a'.repeat(40),
  '1234567'.repeat(6),
  'abcdefghijk'.repeat(3),
  'correct-horse-battery!correct-horse-batte',
  'a-string-secret-at-least-256-bits-long',
  'your-256-bit-secret-your-other-one',
  'please-ChangeMe-before-you-go-live-x',
])('%s is no secret', (text) => {
  expect(weakText(text)).toBeDefined();
});

test.each([
  'test test test test test test test test test test test junk',
  `${'abandon '.repeat(11)}about`,
  `${'abandon '.repeat(23)}art`,
  `${'zoo '.repeat(11)}wrong`,
  ...KNOWN_MNEMONICS,
])('the published words "%s" are refused, though they are a mnemonic', (words) => {
  expect(badMnemonic(words)).toBeUndefined();
  expect(weakMnemonic(words)).toBeDefined();
});

test('published words are known however they are spaced and spelt', () => {
  const typed = '  Candy maple cake sugar pudding cream honey\trich smooth crumble SWEET  treat';
  expect(weakMnemonic(typed)).toBeDefined();
});

test('words that no wallet takes are refused', () => {
  const [first = '', ...others] = entropyToMnemonic(drawn(1).subarray(0, 16), wordlist).split(' ');
  for (const words of [others.join(' '), ['archipay', ...others].join(' '), '', first])
    expect(badMnemonic(words), words).toBeDefined();
  // The last word holds the checksum.
  expect(badMnemonic(`${'abandon '.repeat(11)}abandon`)).toBeDefined();
});
