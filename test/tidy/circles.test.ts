import { expect, test } from 'vitest';
import { pathOf, product } from './sources.ts';

/** Files that import one another, be it for a type only, can be understood only together. */
const imports = new Map(
  product.map(({ path, text }) => [
    path,
    [...text.matchAll(/^(?:import|export|\}) [^;]*?from '([#.][^']+)';/gm)].map(([, to = '']) =>
      pathOf(path, to),
    ),
  ]),
);

/** All imports of a file, direct and through others. */
function reached(from: string): Set<string> {
  const found = new Set<string>();
  const waiting = [...(imports.get(from) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(imports.get(next) ?? []));
  }
  return found;
}

test('no files import one another in a circle', () => {
  const reach = new Map([...imports.keys()].map((path) => [path, reached(path)]));
  const circles = [...reach]
    .filter(([path, others]) => others.has(path))
    .map(([path, others]) => [...others].filter((other) => reach.get(other)?.has(path)).sort());
  expect([...new Set(circles.map((circle) => circle.join(' ')))]).toEqual([]);
});
