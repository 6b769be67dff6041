import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainDecimal, readingsOf, unmistakable } from './amount-text.ts';
import { proseOf } from './prose.ts';

const COINS = ['ETH', 'POL', 'NEON', 'USDC'];
const readings = (text: string) => proseOf(text, COINS).amounts.map((amount) => amount.readings);

test.each([
  ['send 5 USDC to 0xab12', '5'],
  ['kirim 0,5 USDC', '0.5'],
  ['send .5 ETH', '0.5'],
  ['Please send 5USDC!', '5'],
  ['send 1,000.25', '1000.25'],
  ['kirim 1.000,25', '1000.25'],
  ['kirim 1.000.000 USDC', '1000000'],
  ['send 1234.567', '1234.567'],
  ['send 0.005 ETH', '0.005'],
  ['send 2.', '2'],
  ['１００', '100'],
  ['12,5 saja', '12.5'],
  ['make it 4 to 0x00aa', '4'],
  ['no, 7 please', '7'],
  ['send USDC 5.0 to:0x0012', '5'],
  ['(please send 5)', '5'],
  ['send *5* USDC', '5'],
])('“%s” has one amount: %s', (text, amount) => {
  expect(readings(text)).toEqual([[amount]]);
});

test.each([
  ['send 1,000 USDC', ['1000', '1']],
  ['kirim 1.000 USDC', ['1000', '1']],
  ['1.234', ['1234', '1.234']],
])('“%s” can be read in two ways', (text, both) => {
  expect(readings(text)).toEqual([both]);
});

test.each(
  `-5|−5|–5|send -5 USDC|send - 5 USDC|send −5|send minus 5|send negative 5|kirim -5|+5|±5|~5|(5) USDC|<5|send <5> USDC|[5]|(5USDC)|5-|5,-
   1/2|½|1 ½|5²|5%|5 %|5 percent|5 persen|5-7|5–7|5 - 7|5.5.5|1e3|5k|5rb|5 juta|5 ribu|5 hundred|5 thousand
   10 10|1 000|1'000|007|00100|٥|৫|Ⅴ|⑤|$5|€5|5$|5 dollars|5 BTC|5 USDT|#5|x5|5x|2nd|five|lima|half of 5|5 and a half
   send 5 USDC or 7 USDC|send 5 to ten people|I have 40 USDC. Please send 3|at least 5|up to5|not 5|more than 5
   5.000.00|1.000.00|1,00,000|5,,5|5..5|0b101|5\u200b0|\u202e5|5 point 5|5 koma 5|all but 5|USDC5`
    .split(/[|\n]/)
    .map((text) => text.trim()),
)('“%s” has no amount that can be read in exactly one way', (text) => {
  const [only, ...others] = readings(text);
  expect(only).toBeDefined();
  if (others.length === 0) expect(only).toEqual([]);
});

test('a coin is a word of its own, and digits of addresses and hashes are no amounts', () => {
  const { coins, amounts } = proseOf(`Send to vitalik.eth 0x${'12'.repeat(20)} (0xab12)`, COINS);
  expect([coins, amounts]).toEqual([[], []]);
  expect(proseOf('5 usdc on NEON', COINS).coins).toEqual([
    { symbol: 'USDC', isCounted: true },
    { symbol: 'NEON', isCounted: false },
  ]);
});

const digits = fc.bigInt(0n, 10n ** 12n);
const places = fc.stringMatching(/^\d{0,8}$/);

test('a plain number is among its readings, and is the only one once it is unmistakable', () => {
  fc.assert(
    fc.property(digits, places, (whole, fraction) => {
      const plain = plainDecimal(fraction === '' ? `${whole}` : `${whole}.${fraction}`);
      expect(readings(`send ${plain} USDC`)[0]).toContain(plain);
      expect(readings(`send ${unmistakable(plain)} USDC`)).toEqual([[plain]]);
    }),
  );
});

test('whatever is written, a reading has its digits in its order', () => {
  const written = fc.stringMatching(/^[\d.,' ]{1,14}$/);
  fc.assert(
    fc.property(written, fc.boolean(), (text, byTwos) => {
      for (const { whole, fraction } of readingsOf(text, byTwos))
        expect(whole + fraction).toBe(text.replace(/\D/g, ''));
    }),
    { numRuns: 2000 },
  );
});

test('whatever stands close to a number takes its reading away, or leaves it as it is', () => {
  const marks = fc.stringMatching(/^[-+−–~/%$€x^eE#@().,'"½²kK‰* ]{0,3}$/);
  const number = fc.integer({ min: 1, max: 999_999 });
  fc.assert(
    fc.property(marks, number, marks, (before, value, behind) => {
      const found = readings(`send ${before}${value}${behind} USDC`);
      const [only = [], ...others] = found;
      if (others.length > 0 || only.length !== 1) return;
      const isFraction = /[.]["'*]*$/.test(before);
      expect(only).toEqual([isFraction ? plainDecimal(`0.${value}`) : `${value}`]);
    }),
    { numRuns: 2000 },
  );
});
