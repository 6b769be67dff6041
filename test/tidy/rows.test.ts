import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inFeature, product } from './sources.ts';

/**
 * The generated schema types rows: `Row<'users', 'email'>`. A hand-written type would still promise a column that
 * has changed.
 */

type Columns = ReadonlyMap<string, string>;

/** Of every table, its columns and their types when read. */
const tables: ReadonlyMap<string, Columns> = readTables(
  readFileSync('src/kernel/db/schema.generated.ts', 'utf8'),
);

function readTables(schema: string): Map<string, Columns> {
  const interfaces = new Map(
    [...schema.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)].map(([, name, body]) => [
      name ?? '',
      fieldsOf((body ?? '').replace(/Generated<(.+)>/g, '$1')),
    ]),
  );
  const listed = interfaces.get('DB') ?? new Map();
  return new Map([...listed].map(([table, of]) => [table, interfaces.get(of) ?? new Map()]));
}

function fieldsOf(body: string): Map<string, string> {
  const fields = body.matchAll(/^\s*(?:readonly )?"?([\w.]+)"?\??: ([^;]+);/gm);
  return new Map([...fields].map(([, name = '', type = '']) => [name, type]));
}

/** Tables that a file names, in any way. */
const namedIn = (text: string): Columns[] =>
  [...tables].flatMap(([table, columns]) =>
    new RegExp(`[\\s'"]${table}[\\s'"),;\`]`).test(text) ? [columns] : [],
  );

const stores = product.filter(({ path }) => /(^|[-/])store$/.test(inFeature(path)?.file ?? ''));

test('the generated schema types the results of hand-written statements', () => {
  const retyped = stores.flatMap(({ path, text }) => {
    const columns = namedIn(text).flatMap((table) => [...table.keys()]);
    const types = [...text.matchAll(/\brun<([^(]+)>\(/g)].map(([, type = '']) => type);
    return types.flatMap((type) => {
      const own = type.match(/\{(.*)\}/s)?.[1] ?? interfaceOf(text, type) ?? '';
      const fields = [...fieldsOf(own.replace(/([^;]) \}?$/, '$1;')).keys()];
      return fields.filter((field) => columns.includes(field)).map((field) => `${path}: ${field}`);
    });
  });
  expect(retyped).toEqual([]);
});

const interfaceOf = (text: string, name: string): string | undefined =>
  text.match(new RegExp(`^(?:export )?interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, 'ms'))?.[1];

/** An interface of fewer columns than that has a meaning of its own. */
const FEW = 3;

test('no interface of a store repeats a table', () => {
  const repeated = stores.flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:export )?interface (\w+)[^{]*\{\n(.*?)^\}/gms)].flatMap(
      ([, name, body = '']) => {
        const fields = [...fieldsOf(body)];
        const repeats = namedIn(text).some((columns) =>
          fields.every(([field, type]) => columns.get(field) === type),
        );
        return fields.length > FEW && repeats ? [`${path}: ${name}`] : [];
      },
    ),
  );
  expect(repeated).toEqual([]);
});
