import type { TSchema } from 'typebox';

/** Where a column's value is in a row. */
export type Column = readonly string[];

/** The columns of rows of that shape, in its order; an object in a row is a column for each of its fields. */
export function declaredColumnsOf(row: TSchema): Column[] {
  const { properties, allOf } = row as Shape;
  if (allOf) return allOf.flatMap(declaredColumnsOf);
  return Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const inner = declaredColumnsOf(field);
    return inner.length === 0 ? [[name]] : inner.map((rest) => [name, ...rest]);
  });
}

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly allOf?: readonly TSchema[];
}

/** `details.order_id`: the line with the columns' names. */
export const headLine = (columns: readonly Column[]): string =>
  lineOf(columns.map((column) => column.join('.')));

/** A row, its values as the JSON of it has them. */
export const rowLine = (columns: readonly Column[], row: unknown): string =>
  lineOf(columns.map((column) => textOf(valueAt(row, column))));

const valueAt = (row: unknown, column: Column): unknown =>
  column.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row);

/** What JSON has no word for is an empty cell. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** RFC 4180. */
const lineOf = (texts: readonly string[]): string => `${texts.map(cellOf).join(',')}\r\n`;

/** Texts that a spreadsheet would compute instead of showing them (OWASP: CSV injection). */
const FORMULA = /^\s*[=+\-@＝＋－＠\t\r\n]/;
/**
 * The same after a separator. Spreadsheets of countries that write decimals with a comma part cells at `;`, others
 * at tabs, and some whether or not there are quotes around: what comes after it is then a cell of its own.
 */
const LATER_FORMULA = /([;\t\r\n]["'\s]*)(?=[=+\-@＝＋－＠])/g;
/** A number is no formula, and stays one. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** What might be computed has an apostrophe before it, which makes it text. */
function cellOf(text: string): string {
  const isFormula = FORMULA.test(text) && !NUMBER.test(text);
  if (!isFormula && !/[",;\t\r\n]/.test(text)) return text;
  const tamed = text.replace(LATER_FORMULA, "$1'");
  return `"${isFormula ? "'" : ''}${tamed.replaceAll('"', '""')}"`;
}
