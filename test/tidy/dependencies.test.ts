import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { product, sources } from './sources.ts';

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const IMPORT =
  /(?:^(?:import|export|\}) (?!type )[^;']*?\bfrom |^import |\bimport\(|\bimport\.meta\.(?:resolve|url\)(?:\.resolve)?)\()'([^'#.][^']*)'/gm;

/** `viem` of `viem/accounts`, of all modules that these files load; types are not loaded. */
const loadedBy = (files: readonly { readonly text: string }[]): Set<string> =>
  new Set(
    files
      .flatMap(({ text }) => [...text.matchAll(IMPORT)].map(([, name = '']) => name))
      .filter((name) => !name.startsWith('node:'))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
  );

/** Peer dependencies of others. */
function peersOf(name: string): string[] {
  const manifest = readFileSync(`node_modules/${name}/package.json`, 'utf8');
  const { peerDependencies = {}, peerDependenciesMeta = {} } = JSON.parse(manifest) as {
    peerDependencies?: Record<string, string>;
    peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  };
  return Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
}

const loaded = loadedBy(product);

test('production installs only the libraries that the service loads, and their peers', () => {
  const needed = [...loaded].filter((name) => name in dependencies).flatMap(peersOf);
  const unused = Object.keys(dependencies).filter(
    (name) => !loaded.has(name) && !needed.includes(name),
  );
  expect(unused).toEqual([]);
});

test('every library that the service loads is a production dependency', () => {
  expect([...loaded].filter((name) => !(name in dependencies))).toEqual([]);
});

/** Started by their command, or read by the compiler. */
const TOOLS = [
  '@arethetypeswrong/cli',
  '@biomejs/biome',
  '@openzeppelin/contracts',
  '@stryker-mutator/core',
  '@stryker-mutator/vitest-runner',
  '@types/node',
  'publint',
  'typescript',
];

test('a development dependency is loaded by tests or scripts, or types one that is', () => {
  const everywhere = loadedBy(sources);
  const idle = Object.keys(devDependencies).filter((name) => {
    const typed = name.replace('@types/', '');
    return !everywhere.has(name) && !everywhere.has(typed) && !TOOLS.includes(name);
  });
  // Named by a constant, since production works without it.
  expect(idle).toEqual(['pino-pretty']);
});
