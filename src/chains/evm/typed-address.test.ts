import { expect, test } from 'vitest';
import { typedEvmAddress } from './reads.ts';

const RIGHT = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const MISTYPED = '0x742D35Cc6634C0532925a3b844Bc454e4438f44e';
const live = { MOCK_MODE: false };
const mock = { MOCK_MODE: true };

test('an address is known in small letters, in capitals and with its checksum, in both modes', () => {
  for (const text of [RIGHT, RIGHT.toLowerCase(), `0x${RIGHT.slice(2).toUpperCase()}`])
    for (const mode of [live, mock]) expect(typedEvmAddress(text, mode)).toBe(RIGHT);
  for (const text of ['', '0x12', RIGHT.slice(2), `${RIGHT}0`, RIGHT.replace('7', 'g')])
    for (const mode of [live, mock]) expect(typedEvmAddress(text, mode)).toBeUndefined();
});

test('one whose case is wrong is a typing mistake, but for mock mode, where nothing can be lost', () => {
  expect(typedEvmAddress(MISTYPED, live)).toBeUndefined();
  expect(typedEvmAddress(MISTYPED, mock)).toBe(RIGHT);
});
