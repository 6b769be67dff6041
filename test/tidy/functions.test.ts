import { expect, test } from 'vitest';
import { product, type Source } from './sources.ts';

/**
 * Functions are short and take few arguments. The test finds them by their layout, which the formatter
 * decides: one ends where a bracket closes at its own indentation.
 */

const LINES_MAX = 58;
const PARAMETERS_MAX = 4;

const NAME = '(?:<.*>)?\\(';
const STARTS = [
  new RegExp(`^( *)(?:export )?(?:async )?function (\\w+)${NAME}`),
  new RegExp(`^( *)(?:export )?const (\\w+)(?:: [^=]+)? = (?:async )?${NAME}`),
  new RegExp(`^( +)(?:async )?(\\w+)${NAME}(?:$|.*\\)(?:: .+)? \\{$)`),
  new RegExp(`^( +)(\\w+): (?:async )?${NAME}`),
];
const NO_NAMES = ['if', 'for', 'while', 'switch', 'catch'];
const OPENS = /(?:[([{]|=>)$/;

interface Laid {
  readonly at: string;
  readonly lines: readonly string[];
}

function functionsOf({ path, text }: Source): Laid[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const [, indent, name] = STARTS.map((start) => line.match(start)).find(Boolean) ?? [];
    if (indent === undefined || name === undefined || NO_NAMES.includes(name)) return [];
    if (!OPENS.test(line)) return [];
    const end = endOf(lines, i, indent.length);
    const own = lines.slice(i, end + 1);
    if (!own.some((part) => /=>|\) \{$|\): .* \{$/.test(part))) return [];
    return [{ at: `${path}: ${name}`, lines: own }];
  });
}

/** The last line: one that only closes brackets, at the indentation of the first, and opens none. */
function endOf(lines: readonly string[], start: number, indent: number): number {
  for (let i = start + 1; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    const depth = line === '' ? Number.POSITIVE_INFINITY : line.search(/\S/);
    const closes = depth === indent && /^\s*[)\]}]/.test(line);
    if (closes && OPENS.test(line)) continue;
    if (closes) return i;
    if (depth <= indent) return i - 1;
  }
  return lines.length - 1;
}

/** Commas of the outermost brackets separate parameters; one may follow the last. */
function parametersOf(lines: readonly string[]): number {
  const text = lines.join('\n').replaceAll('=>', '');
  const inner = text.slice(text.indexOf('(') + 1);
  let depth = 0;
  let parts = 0;
  let some = false;
  for (const sign of inner) {
    if ('([{<'.includes(sign)) depth += 1;
    else if (')]}>'.includes(sign)) depth -= 1;
    if (depth < 0) break;
    if (sign === ',' && depth === 0) {
      parts += 1;
      some = false;
    } else if (/\S/.test(sign)) some = true;
  }
  return parts + (some ? 1 : 0);
}

const functions = product.flatMap(functionsOf);

/** Endpoints are declarations, read one by one; their handlers are functions like others. */
const declaresEndpoints = ({ lines }: Laid) => /\): Route(\[\])? =>/.test(lines.join('\n'));

test('functions are found in every position', () => {
  expect(functions.length).toBeGreaterThan(1000);
  const source = ['async function f(', '  a: (b: X, c: Y) => Z,', '  { d, e }: P,', ') {', '}', ''];
  const [found] = functionsOf({ path: 'x.ts', text: source.join('\n') });
  expect(found?.lines).toHaveLength(5);
  expect(functionsOf({ path: 'x.ts', text: 'const g = () => ({\n  h: 1,\n});\n' })).toHaveLength(1);
  expect(parametersOf(['(a: Map<A, B>, { b, c }: D,', '  e: (f: F, g: G) => H,', ')'])).toBe(3);
});

test('functions are short, but for those that declare endpoints', () => {
  const long = functions.filter((one) => one.lines.length > LINES_MAX && !declaresEndpoints(one));
  expect(long.map(({ at }) => at)).toEqual([]);
});

test('functions take four arguments at the most', () => {
  const many = functions.filter(({ lines }) => parametersOf(lines) > PARAMETERS_MAX);
  expect(many.map(({ at }) => at)).toEqual([]);
});
