import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grounded, type UserWords } from './grounding.ts';
import type { Given } from './intent.ts';
import { yesOrNoOf } from './yes-or-no.ts';

const A = '0x52908400098527886E0F7030069857D2E4169EE7';
const B = `0x${'b'.repeat(40)}`;
const ground = (proposed: Given, said: string, more: Partial<UserWords> = {}) =>
  grounded(proposed, { said: [said], intent: 'send', ...more });

test.each([
  ['0.5', 'send 0.5 USDC', '0.5'],
  ['0.5', 'kirim 0,5 USDC', '0.5'],
  ['0.50', 'send 0.5', '0.5'],
  ['1000.25', 'send 1,000.25', '1000.25'],
  ['1000.25', 'kirim 1.000,25', '1000.25'],
  ['1000000', 'kirim 1.000.000', '1000000'],
  ['2', 'send 2.', '2'],
  ['100', 'send １００ USDC', '100'],
])('an amount of %s is what somebody wrote who wrote “%s”: %s', (amount, said, kept) => {
  const { parameters, doubts } = ground({ amount, token_symbol: 'USDC' }, said);
  expect([parameters.amount, doubts.includes('amount')]).toEqual([kept, false]);
});

test.each([
  ['5', 'send 0.5 USDC'],
  ['10', 'send 100'],
  ['100', 'send 10'],
  ['1000', 'send 1,000 USDC'],
  ['1', 'kirim 1.000 USDC'],
  ['5', 'send -5 USDC'],
  ['5', 'send −5 USDC'],
  ['5', 'send minus 5 USDC'],
  ['5', 'send 5% USDC'],
  ['5', 'send 5-7 USDC'],
  ['1', 'send 1/2 USDC'],
  ['555', 'send 5.5.5 USDC'],
  ['10', 'send 5 USDC and 10 ETH'],
  ['10', 'send 10 10 USDC'],
  ['40', 'I have 40 USDC. Please send 3.'],
  ['2', 'send 2 then 0'],
])('an amount of %s is asked for again of somebody who wrote “%s”', (amount, said) => {
  expect(ground({ amount }, said)).toMatchObject({
    parameters: expect.not.objectContaining({ amount: expect.anything() }),
    doubts: expect.arrayContaining(['amount']),
  });
});

test('both readings of an ambiguous amount are offered, in unambiguous form', () => {
  expect(ground({ amount: '1' }, 'kirim 1.000 USDC').amounts).toEqual(['1000', '1']);
  expect(ground({ amount: '1.234' }, 'send 1.234 USDC').amounts).toEqual(['1234', '1.2340']);
  expect(ground({ amount: '1.234' }, '1.2340').parameters.amount).toBe('1.234');
});

test('the newest message that speaks of an amount decides', () => {
  const said = ['send 5 USDC', 'make it -7'];
  expect(grounded({ amount: '5' }, { said, intent: 'send' }).doubts).toContain('amount');
  const later = ['send 5 USDC', 'on amoy'];
  expect(grounded({ amount: '5' }, { said: later, intent: 'send' }).parameters.amount).toBe('5');
  expect(ground({ amount: '5' }, 'make it 7').doubts).toContain('amount');
});

describe('a coin', () => {
  test.each([
    ['USDC', 'send 5 USDC', 'send', true],
    ['NEON', 'send 5 NEON', 'send', true],
    ['NEON', 'send 5 on neon', 'send', false],
    ['ETH', 'send 5 USDC', 'send', false],
    ['ETH', 'send 5 to vitalik.eth', 'send', false],
    ['ETH', 'send 5 USDC and 10 ETH', 'send', false],
    ['USDC', 'bridge 5 ETH from amoy to sepolia', 'crosschain_transfer', false],
  ] as const)('%s is what “%s” says (%s): %s', (token_symbol, said, intent, isKept) => {
    expect(
      ground({ token_symbol }, said, { intent }).parameters.token_symbol === token_symbol,
    ).toBe(isKept);
  });
});

describe('an address', () => {
  test('is kept as it was written, in any case that a model proposes', () => {
    const otherwiseSpelled = `0x${A.slice(2).toLowerCase().replace('e', 'E')}`;
    for (const written of [A, otherwiseSpelled, A.toLowerCase()])
      for (const to_address of [A, A.toLowerCase()])
        expect(ground({ to_address }, `to ${written}!`)).toMatchObject({
          parameters: { to_address: written },
          doubts: [],
        });
  });

  test.each([
    ['of another', `to ${B}`],
    ['that is part of a hash', `send to ${A}${'0'.repeat(24)}`],
    ['of which was only asked', `what became of ${A}?`],
    ['that is a scam', `${A} is a scam, send to my friend`],
    ['beside another one', `to ${A} or to ${B}`],
    ['that is where it comes from', `from ${A}`],
    ['that nobody wrote', 'to somebody'],
  ])('%s is not taken', (_, said) => {
    expect(ground({ to_address: A }, said).parameters).toEqual({});
  });

  test('for a transfer or a token goes by the name of that', () => {
    const transfer = ground({ to_address: A }, `bridge to ${A}`, { intent: 'crosschain_transfer' });
    expect(transfer.parameters.recipient_address).toBe(A);
    const token = ground({ token_address: A }, `import token ${A}`, { intent: 'import_token' });
    expect(token.parameters.token_address).toBe(A);
  });
});

test.each([
  ['bridge 5 USDC from sepolia to amoy', 'sepolia', 'amoy'],
  ['Pindahkan 5 USDC dari jaringan Polygon ke Ethereum', 'amoy', 'sepolia'],
  ['bridge 5 USDC on neon to Polygon Amoy', 'neon', 'amoy'],
  ['bridge 5 USDC to amoy', undefined, 'amoy'],
  ['bridge sepolia amoy', undefined, undefined],
])('“%s” goes from %s to %s, and not the other way', (said, from, to) => {
  const chains = ['sepolia', 'amoy', 'neon'] as const;
  for (const from_chain of chains)
    for (const to_chain of chains) {
      const { parameters } = ground({ from_chain, to_chain }, said, {
        intent: 'crosschain_transfer',
      });
      expect([parameters.from_chain ?? from, parameters.to_chain ?? to]).toEqual([from, to]);
      if (from_chain === from) expect(parameters.from_chain).toBe(from);
      if (to_chain === to) expect(parameters.to_chain).toBe(to);
    }
});

test('a chain is kept where it is the one that was named', () => {
  expect(ground({ chain_id: 'amoy' }, 'on Polygon').parameters.chain_id).toBe('amoy');
  expect(ground({ chain_id: 'sepolia' }, 'on Polygon')).toMatchObject({ doubts: ['chain_id'] });
  expect(ground({ chain_id: 'amoy' }, 'on amoy or sepolia')).toMatchObject({
    doubts: ['chain_id'],
  });
});

test('the digits of a wallet’s quoted name are no amount', () => {
  const said = 'send 5 USDC from "Savings 2"';
  const { parameters } = ground({ amount: '5' }, said, { names: ['Savings 2'] });
  expect(parameters.amount).toBe('5');
});

test('only what the message says is kept, for any proposal', () => {
  const proposal = fc.record({
    amount: fc.constantFrom('5', '7', '57', '10', '1', '1000'),
    token_symbol: fc.constantFrom('USDC', 'ETH', 'NEON', 'POL'),
    chain_id: fc.constantFrom('amoy', 'sepolia', 'neon'),
    to_address: fc.constantFrom(A, B),
  });
  const words = [
    'send',
    '5',
    '7',
    '-',
    'USDC',
    'ETH',
    'on',
    'amoy',
    'neon',
    'to',
    A,
    B,
    'and',
    '10',
  ];
  const sentence = fc
    .array(fc.constantFrom(...words), { maxLength: 10 })
    .map((all) => all.join(' '));
  fc.assert(
    fc.property(proposal, proposal, sentence, (one, other, said) => {
      const [first, second] = [ground(one, said).parameters, ground(other, said).parameters];
      for (const name of Object.keys(one) as (keyof typeof one)[])
        if (first[name] !== undefined && second[name] !== undefined)
          expect(first[name]).toBe(second[name]);
    }),
    { numRuns: 2000 },
  );
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
  expect(yesOrNoOf(said)?.kind).toBe(kind);
});
