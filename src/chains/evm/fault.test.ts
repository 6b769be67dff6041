import { InvalidAddressError, TimeoutError } from 'viem';
import { expect, test } from 'vitest';
import { chainFault } from './fault.ts';

test('an address that is none is refused for good, and not asked for again without end', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
  expect(chainFault(new InvalidAddressError({ address })).kind).toBe('refused');
  const late = new TimeoutError({ body: {}, url: 'http://node.example' });
  expect(chainFault(late).kind).toBe('unreachable');
});
