import { expect, test } from 'vitest';
import { pathOf, shipped, sources } from './sources.ts';

/**
 * Rooms: the folders of the kernel (those of `http` by themselves, and each file beside them), and the top folders
 * of the repository. Rooms that import one another, be it for a type or through a third, are really one room.
 */

const IMPORT = /(?:\bfrom |\bimport\(|\bimport )'((?:#|\.\.?\/)[^'\n]+\.ts)'/g;

function roomOfKernel(path: string): string {
  const [, , room = '', inner = ''] = path.split('/');
  return room === 'http' && !inner.endsWith('.ts') ? `http/${inner}` : room;
}

/** Rooms that each room imports. */
function importsBetween(
  files: readonly { readonly path: string; readonly text: string }[],
  roomOf: (path: string) => string | undefined,
): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const own = roomOf(path);
    if (own === undefined) continue;
    const known = rooms.get(own) ?? new Set<string>();
    rooms.set(own, known);
    for (const [, target = ''] of text.matchAll(IMPORT)) {
      const other = roomOf(pathOf(path, target));
      if (other !== undefined && other !== own) known.add(other);
    }
  }
  return rooms;
}

function circlesOf(rooms: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = (from: string): Set<string> => {
    const found = new Set<string>();
    const waiting = [...(rooms.get(from) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(...(rooms.get(next) ?? []));
    }
    return found;
  };
  return [...rooms.keys()].filter((room) => reached(room).has(room));
}

const inKernel = (path: string) =>
  path.startsWith('src/kernel/') ? roomOfKernel(path) : undefined;

test('no rooms of the kernel import one another', () => {
  const rooms = importsBetween(shipped, inKernel);
  expect(rooms.size).toBeGreaterThan(30);
  expect(circlesOf(rooms)).toEqual([]);
});

test('no folders of the product import one another', () => {
  const rooms = importsBetween(shipped, (path) => path.split('/').slice(0, 2).join('/'));
  expect(circlesOf(rooms)).toEqual([]);
});

test('no folders of the house import one another, and none of those within them', () => {
  // But for the calls that load the sandbox and the embedded database (development.test.ts); tests may import everything.
  const written = sources.filter(
    ({ path }) =>
      !path.endsWith('.test.ts') &&
      !['src/app/sandbox-door.ts', 'src/app/start/start.ts'].includes(path),
  );
  expect(circlesOf(importsBetween(written, (path) => path.split('/')[0]))).toEqual([]);
  for (const folder of ['app', 'bench', 'chaos', 'console', 'sandbox', 'scripts']) {
    const top = folder === 'app' ? 'src/app/' : `${folder}/`;
    const rooms = importsBetween(written, (path) =>
      path.startsWith(top) ? path.slice(top.length).split('/')[0] : undefined,
    );
    expect(circlesOf(rooms), folder).toEqual([]);
  }
});
