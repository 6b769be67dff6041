import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG } from '../order.ts';
import { type Source, sources } from './sources.ts';

/** What starts a program: a service, a command, a browser. */
const STARTS = ['node:child_process', 'playwright-core'];
/** What asks every endpoint there is, in every way there is. */
const ALL_ENDPOINTS = ['doors', 'foreign', 'hostile', 'walk/walk'].map(
  (name) => `test/${name}${LONG}`,
);
/** The product starts its database and its chain nodes by itself, in every test. */
const ofTests = ({ path }: Source) => path.startsWith('test/') || path.endsWith('.test.ts');

/** What a file loads, and not only the types of. */
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

/** Whether it starts a program, itself or through what it loads of the tests' own. */
function starts(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const targets = loaded.get(path) ?? [];
  return targets.some((target) => STARTS.includes(target) || starts(target, seen));
}

test('a test file that starts a program, or asks every endpoint in every way, is called a long one, and no other is', () => {
  const tests = [...loaded.keys()].filter((path) => path.endsWith('.test.ts'));
  const long = tests.filter((path) => path.endsWith(LONG));
  expect(long.length).toBeGreaterThan(0);
  const starting = tests.filter((path) => starts(path));
  expect(long.sort()).toEqual([...starting, ...ALL_ENDPOINTS].sort());
});
