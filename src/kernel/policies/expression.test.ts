import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../error.ts';
import { compileCondition, conditionOf } from './expression.ts';
import type { PolicyFacts } from './facts.ts';
import { readPolicyFacts, storedFacts } from './facts.ts';

const facts: PolicyFacts = {
  op: 'withdrawal',
  kind: 'withdrawal',
  amount_minor: 12_345n,
  usd_cents: 12_345n,
  currency: 'USD',
  user: { id: 7n, role: 'user', country: 'ID', is_verified: true, age_days: 30n },
  wallet: { id: 3n, currency: 'USD' },
  recipient: { kind: 'bank', country: 'ID', age_h: 2n, verification: 'MATCH', is_new: true },
  key: { scopes: ['wallets'] },
  time: { hour: 4n, weekday: 6n },
  sums: { count_1h: 1n, count_1d: 2n, usd_cents_1d: 300n, usd_cents_30d: 4000n },
  metadata: { order: '4711' },
};

const faultOf = (text: string): string => {
  try {
    compileCondition(text);
    return '';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};

test.each([
  ['usd_cents > 10000 && user.is_verified', true],
  ['user.country in ["SG", "US"]', false],
  ['recipient.age_h < 24 || time.weekday > 5', true],
  ['has(metadata.order) && metadata.order.startsWith("47")', true],
  ['sums.usd_cents_1d + usd_cents > 10000', true],
  ['"wallets" in key.scopes', true],
])('%s is computed', (text, expected) => {
  expect(conditionOf(text).matches(facts)).toBe(expected);
});

test.each([
  ['(usd_cents > ', 'line 1, column 14'],
  ['user.is_verified &&\n  nothing == 1', 'line 2, column 3: Unknown variable: nothing'],
  ['user.shoe_size > 1', 'column 6: No such key: shoe_size'],
  ['usd_cents > "a lot"', 'no such overload'],
  ['usd_cents', 'answers int, not true or false'],
  ['op.matches("(a+)+b")', 'matches cannot be called here'],
  ['key.scopes.exists(s, s == "a")', 'exists cannot be called here'],
  ['op + op == "a"', 'only numbers can be added'],
  [`op in [${'"a", '.repeat(101)}"b"]`, 'Exceeded'],
  [`${'('.repeat(50)}true${')'.repeat(50)}`, 'Exceeded'],
  [Array(30).fill('op.contains("a")').join(' || '), 'steps, more than 2000'],
])('a wrong expression is told with its place: %s', (text, said) => {
  const fault = faultOf(text);
  expect(fault).toContain('VALIDATION_ERROR: when is wrong at line');
  expect(fault).toContain(said);
});

test('an expression that cannot be computed for an operation is a fault, not an error', () => {
  expect(conditionOf('amount_minor / sums.count_1h == 1').matches(facts)).toBe(false);
  const divided = conditionOf('amount_minor / (sums.count_1h - 1) == 1').matches(facts);
  expect(divided).toEqual({ fault: 'division by zero' });
  expect(conditionOf('metadata.nothing == "a"').matches(facts)).toEqual({
    fault: 'No such key: nothing',
  });
});

test('the first part that does not hold is named', () => {
  const condition = conditionOf('user.is_verified && usd_cents > 99999 && currency == "USD"');
  expect(condition.unmet(facts)).toBe('usd_cents > 99999');
  expect(conditionOf('user.is_verified').unmet(facts)).toBeNull();
});

test('facts come back from JSON as they were', () => {
  expect(readPolicyFacts(JSON.parse(storedFacts(facts)))).toEqual(facts);
  expect(readPolicyFacts({})).toMatchObject({ amount_minor: 0n, metadata: {}, user: { role: '' } });
});

/** Texts that look like expressions: names, numbers, calls and operators in any order and depth. */
const expressions: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom(
      ...['op', 'usd_cents', 'amount_minor', 'user.is_verified', 'user.role', 'sums.count_1h'],
      ...['metadata', 'metadata.a', 'key.scopes', 'true', 'null', '"a"', '[]', '[1, "b"]', '1.5'],
    ),
    fc.integer().map(String),
    fc
      .tuple(
        tie('any'),
        fc.constantFrom('&&', '||', '==', '!=', '<', '+', '-', '*', '/', '%', 'in', '?:', '.'),
        tie('any'),
      )
      .map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
    fc
      .tuple(
        fc.constantFrom('size', 'int', 'string', 'has', 'matches', 'timestamp', 'dyn', 'type'),
        tie('any'),
      )
      .map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(
        tie('any'),
        fc.constantFrom('contains', 'startsWith', 'matches', 'map', 'all', 'exists', 'split'),
        tie('any'),
      )
      .map(([a, name, b]) => `(${a}).${name}(${b})`),
    tie('any').map((a) => `!(${a})`),
    fc.tuple(tie('any'), tie('any'), tie('any')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
  ),
})).any;

test('of 10,000 random expressions each is refused with its place, or computed without an error', () => {
  let computed = 0;
  fc.assert(
    fc.property(expressions, (text) => {
      const fault = text.length > 2000 ? 'too long' : faultOf(text);
      if (fault !== '') {
        expect(fault).toMatch(/^too long|^VALIDATION_ERROR: when is wrong/);
        return;
      }
      computed += 1;
      const match = conditionOf(text).matches(facts);
      expect(typeof match === 'boolean' || typeof match.fault === 'string').toBe(true);
      conditionOf(text).unmet(facts);
    }),
    { numRuns: 10_000 },
  );
  expect(computed).toBeGreaterThan(100);
});
