import type { TSchema } from 'typebox';

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly wire?: unknown;
}

/**
 * JSON of a value that its fields' order and blanks do not change: names sorted, as RFC 8785 has it. Where the
 * schema says that something is an amount, `10`, `"10"` and `"10.00"` are one.
 */
export function canonicalJson(value: unknown, schema?: TSchema): string {
  const { properties, items, wire } = (schema ?? {}) as Shape;
  if (typeof value === 'string' && (wire === 'amount' || wire === 'decimal'))
    return JSON.stringify(withoutLastZeros(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one, items)).join(',')}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field, properties?.[name])}`);
  return `{${fields.join(',')}}`;
}

/** `"10.50"` and `"10.5"`, `"10.00"` and `"10"`. */
const withoutLastZeros = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
