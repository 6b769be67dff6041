import { expect, test } from 'vitest';
import { pathOf, sources } from './sources.ts';

/** A simulator that is typed by its adapter could never contradict it. */

const IMPORT = /\bfrom '((?:#|\.\.?\/)[^'\n]+\.ts)'/g;

/** Imports of simulators from adapters' folders that are left; the number may only fall. */
const LEFT = 45;

test('a simulator has its own idea of the provider, and imports nothing of its adapter', () => {
  const crossing = sources
    .filter(({ path }) => path.startsWith('sandbox/providers/') && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(IMPORT)]
        .map(([, target = '']) => pathOf(path, target))
        .filter((target) => target.startsWith('src/providers/'))
        .map((target) => `${path}: ${target}`),
    );
  expect(crossing.length, crossing.join('\n')).toBeLessThanOrEqual(LEFT);
});
