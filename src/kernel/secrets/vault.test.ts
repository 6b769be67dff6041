import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

const keyOf = (version: number) => `${version}:${randomBytes(32).toString('base64')}`;
const [first, second] = [keyOf(1), keyOf(2)];
const vault = createVault(first);

test('what is sealed opens in its own place only', () => {
  const sealed = vault.seal('words', 'mnemonic:7');
  expect(vault.open(sealed, 'mnemonic:7')).toBe('words');
  expect(() => vault.open(sealed, 'mnemonic:8')).toThrow();
  expect(sealed).not.toBe(vault.seal('words', 'mnemonic:7'));
});

test('no bit of it can be changed, and no part of its seal left out', () => {
  const [version, encoded = ''] = vault.seal('words', 'here').split('.');
  const bytes = Buffer.from(encoded, 'base64');
  for (const [i, byte] of bytes.entries()) {
    const changed = Buffer.from(bytes);
    changed[i] = byte ^ 1;
    expect(() => vault.open(`${version}.${changed.toString('base64')}`, 'here')).toThrow();
  }
  // A seal of four bytes could be found by trying.
  const [, empty = ''] = vault.seal('', 'here').split('.');
  for (const length of [0, 12, 16, 20, 27]) {
    const short = Buffer.from(empty, 'base64').subarray(0, length).toString('base64');
    expect(() => vault.open(`${version}.${short}`, 'here')).toThrow();
  }
});

test('a new key seals from now on, and what the old one sealed still opens', () => {
  const sealed = vault.seal('words', 'here');
  const mark = vault.fingerprint('code', 'here');
  const rotated = createVault(`${second},${first}`);
  expect(rotated.open(sealed, 'here')).toBe('words');
  expect(rotated.fingerprint('code', 'here')).toEqual(mark);
  const fresh = rotated.seal('words', 'here');
  expect(fresh).toMatch(/^v2\./);
  expect(() => vault.open(fresh, 'here')).toThrow('MASTER_KEY has no version 2');
  expect(() => createVault(second).open(sealed, 'here')).toThrow('MASTER_KEY has no version 1');
});

test('a fingerprint is of its text, its place and its key', () => {
  const mark = vault.fingerprint('code', 'here');
  expect(vault.fingerprint('code', 'there')).not.toEqual(mark);
  expect(vault.fingerprint('cod', 'here')).not.toEqual(mark);
  expect(createVault(second).fingerprint('code', 'here')).not.toEqual(mark);
});

test('a fingerprint stays what it is: rows are found by it', () => {
  const derived = vault.derive('archipay fingerprint');
  const mark = createHmac('sha256', derived).update('here\0code').digest();
  expect(vault.fingerprint('code', 'here')).toEqual(mark);
  expect(vault.fingerprint(Buffer.from('code'), 'here')).toEqual(mark);
});

test('no two seals have the same nonce, however many are made', () => {
  const nonces = Array.from({ length: 2000 }, () => {
    const [, encoded = ''] = vault.seal('words', 'here').split('.');
    return Buffer.from(encoded, 'base64').subarray(0, 12).toString('hex');
  });
  expect(new Set(nonces).size).toBe(2000);
});
