import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { expect, test } from 'vitest';
import { AppError } from '#kernel/error.ts';
import { cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { requiredVersion } from '#kernel/http/declare/if-match.ts';
import { objectIdField, objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { textInput } from '#kernel/http/declare/schema.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { requestCompiler } from '#kernel/http/declare/wire.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { CurrencyField, MoneyInput, MoneyText, moneyInput, moneyOf } from './amount-fields.ts';
import { format } from './money.ts';

const compile = requestCompiler();

/** What a handler gets of a value, or what is wrong with it. */
function check(schema: TSchema) {
  const body = Type.Object({ value: schema });
  const validate = compile({ schema: body, method: 'POST', url: '/', httpPart: 'body' });
  return (value: unknown): unknown => {
    const data = { value };
    if (validate(data)) return data.value;
    return (validate as unknown as { errors: { message: string }[] }).errors[0]?.message;
  };
}

const readMoney = (amount: unknown, currency: unknown): unknown => {
  const read = check(Type.Object(moneyInput))({ amount, currency });
  if (typeof read === 'string') return 'refused';
  try {
    return format(moneyOf(read as Parameters<typeof moneyOf>[0]));
  } catch (error) {
    return error instanceof AppError ? error.message : error;
  }
};

test('an amount is decimal text or an exact number, with the digits of its currency at most', () => {
  expect(readMoney('12.5', 'USD')).toBe('12.50');
  expect(readMoney(0.1, 'IDR')).toBe('0.10');
  expect(readMoney('0.000001', 'USDC')).toBe('0.000001');
  expect(readMoney('999999999999999', 'VND')).toBe('999999999999999');
  expect(readMoney('1.001', 'USD')).toBe(
    'amount must have at most 2 digits after the point in USD',
  );
  expect(readMoney('1.00', 'VND')).toMatch(/at most 0 digits/);
  expect(readMoney('1.0000000', 'USDC')).toMatch(/at most 6 digits/);
});

test.each([
  ...['0', '0.00', '-1', '+1', '1e3', '1,000', '.5', '5.', '01', '', ' 1', '1 ', 'NaN', '٥'],
  ...['1000000000000000', 0, -1, 1e21, 123456789012345.67, Number.NaN, null, true, [], {}],
])('%j is no amount', (amount) => {
  expect(readMoney(amount, 'USDC')).toBe('refused');
});

test('a currency is one of the seven, in capitals', () => {
  for (const currency of ['usd', 'EUR', 'POINTS', '', null, 'USD ', '__proto__'])
    expect(readMoney('1', currency)).toBe('refused');
});

test('any amount that fits is read as it was written', () => {
  const cents = fc.bigInt(1n, 10n ** 17n - 1n);
  fc.assert(
    fc.property(cents, (units) => {
      const text = format({ asset: 'USD', units });
      expect(readMoney(text, 'USD')).toBe(text);
    }),
  );
});

test('text is composed and without blanks around it, and has no control characters', () => {
  const text = check(textInput(5));
  expect(text('  a b ')).toBe('a b');
  expect(text('e\u0301e\u0301e\u0301e\u0301e\u0301')).toBe('ééééé');
  expect(text('😀😀😀😀😀')).toBe('😀😀😀😀😀');
  expect(text('123456')).toBe('must have at most 5 characters');
  expect(text('   ')).toBe('must not be blank');
  for (const bad of ['a\nb', 'a\u0000', '\u009b1m', 'a\ud800'])
    expect(text(bad)).toBe('must not have control characters');
  expect(text(7)).toBe('must be string');
});

test('an id in a request has the prefix of its kind; a handler gets the UUID', () => {
  const uuid = newObjectUuid(Date.UTC(2026, 10, 28));
  const id = check(objectIdInput('wdr'));
  expect(id(objectId('wdr', uuid))).toBe(uuid);
  for (const bad of [objectId('trf', uuid), uuid, 7, '', objectId('wdr', uuid).toUpperCase()])
    expect(id(bad)).toMatch(/^must be an id such as wdr_0/);
});

test('an approval has to name the version that it is for', () => {
  expect(requiredVersion({ version: 3 }, {})).toBe(3);
  expect(requiredVersion({}, { 'if-match': '"3"' })).toBe(3);
  expect(() => requiredVersion({}, {})).toThrow('version is required');
});

test('a refused act names the status and those that allow it, and is 409', () => {
  const { status, details, message } = notAllowedIn('PAID', ['DRAFT', 'OPEN']);
  expect([status, details]).toEqual([409, { status: 'PAID', allowed: ['DRAFT', 'OPEN'] }]);
  expect(message).toBe('It is PAID, and the act is possible while it is DRAFT or OPEN');
});

test('a list of money is narrowed by status, reference and time, and a cursor belongs to that', () => {
  const Query = Type.Object(moneyListQuery(['PAID', 'OPEN']));
  const read = check(Query);
  expect(read({ status: 'PAID', created_to: '2026-11-28', limit: '5' })).toMatchObject({
    limit: 5,
  });
  expect(read({ status: 'LOST' })).toBe('must be equal to one of the allowed values');
  const rows = [3, 2, 1];
  const show = (n: number) => n;
  const { next_cursor } = cursorReader({ status: 'PAID', limit: 2 }).page(rows, show, show);
  const cursor = next_cursor ?? '';
  expect(cursorReader({ status: 'PAID', cursor }).wanted.before).toBe(2);
  expect(() => cursorReader({ status: 'OPEN', cursor })).toThrow('other filters');
});

test('what is answered has the form that is taken back', () => {
  const { pattern, examples } = objectIdField('pay') as unknown as {
    pattern: string;
    examples: string[];
  };
  expect(examples[0]).toMatch(new RegExp(pattern));
  expect(check(objectIdInput('pay'))(examples[0])).toMatch(/^[0-9a-f-]{36}$/);
  const [amount] = (MoneyText as { examples?: string[] }).examples ?? [];
  expect([check(MoneyInput)(amount), check(CurrencyField)('IDR')]).toEqual(['12.50', 'IDR']);
});
