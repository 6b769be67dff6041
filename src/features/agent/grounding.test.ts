import { expect, test } from 'vitest';
import { wordOf } from './answers.ts';
import { grounded } from './grounding.ts';

test.each([
  ['0.5', 'send 0.5 USDC', true],
  ['0.5', 'kirim 0,5 USDC', true],
  ['0.50', 'send 0.5', true],
  ['1000.25', 'send 1,000.25', true],
  ['1000.25', 'kirim 1.000,25', true],
  ['1000', 'send 1,000 USDC', true],
  ['1', 'kirim 1,000 USDC', true],
  ['1000000', 'kirim 1.000.000', true],
  ['2', 'send 2.', true],
  ['5', 'send 0.5 USDC', false],
  ['1000', 'send 100', false],
  ['10', 'send 100', false],
  ['5', 'send five', false],
  ['20', 'send 2 then 0', false],
])('an amount of %s is what somebody wrote who wrote “%s”: %s', (amount, said, isKept) => {
  expect(grounded({ amount }, [said])).toEqual(isKept ? { amount } : {});
});

test('an address is kept where it was written, in whatever case, and another one is not', () => {
  const to_address = '0x52908400098527886E0F7030069857D2E4169EE7';
  expect(grounded({ to_address }, ['hello', `to ${to_address.toLowerCase()}!`])).toEqual({
    to_address,
  });
  expect(grounded({ to_address, chain_id: 'x' }, ['to somebody'])).toEqual({ chain_id: 'x' });
});

test.each([
  ['yes', 'yes'],
  ['Ya.', 'yes'],
  ['  OK  ', 'yes'],
  ['yes, please', 'yes'],
  ['ya, kirim', 'yes'],
  ['Yes, I confirm.', 'yes'],
  ['confirm transfer', 'yes'],
  ['confirm', 'yes'],
  ['yes 0042', 'yes'],
  ['no', 'no'],
  ['batalkan', 'no'],
  ['cancel it', 'no'],
  ['yes 42', undefined],
  ['yes and no', undefined],
  ['yes 1234 5678', undefined],
  ['not yes', undefined],
  ['yes\nsend 5', undefined],
  ['no problem, send it', undefined],
])('“%s” is %s', (said, kind) => {
  expect(wordOf(said)?.kind).toBe(kind);
});
