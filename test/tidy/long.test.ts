import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG } from '../order.ts';
import { type Source, sources } from './sources.ts';

/** Code that starts a program: a service, a command, a browser. */
const STARTS = ['node:child_process', 'playwright-core'];
/** The first line of any other long one: the reason for its time. */
const WHY = /^\/\/ Long: \S.*\.\n\n/;
/** The product starts its database and its chain nodes by itself, in every test. */
const ofTests = ({ path }: Source) => path.startsWith('test/') || path.endsWith('.test.ts');

/** The modules that a file loads, without types. */
const loaded = new Map(
  sources.filter(ofTests).map(({ path, text }) => [
    path,
    [...text.matchAll(/^(?:import|export|\}) (?!type )[^;]*?from '([^']+)';/gm)].map(
      ([, target = '']) => {
        if (target.startsWith('.')) return join(dirname(path), target);
        return target.replace(/^#test\//, 'test/');
      },
    ),
  ]),
);

/** Whether it starts a program, itself or through the tests' own modules that it loads. */
function starts(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const targets = loaded.get(path) ?? [];
  return targets.some((target) => STARTS.includes(target) || starts(target, seen));
}

test('exactly the files that start a program, or state a reason, are named long', () => {
  const tests = sources.filter(({ path }) => path.endsWith('.test.ts'));
  const named = tests.filter(({ path }) => path.endsWith(LONG));
  expect(named.length).toBeGreaterThan(0);
  const long = tests.filter(({ path, text }) => starts(path) || WHY.test(text));
  expect(pathsOf(named)).toEqual(pathsOf(long));
});

const pathsOf = (files: readonly Source[]) => files.map(({ path }) => path).sort();
