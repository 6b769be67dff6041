import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { product, sources } from './sources.ts';

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const IMPORT =
  /(?:^(?:import|export|\}) (?!type )[^;']*?\bfrom |^import |\bimport\(|\bimport\.meta\.(?:resolve|url\)(?:\.resolve)?)\()'([^'#.][^']*)'/gm;

/** `viem` of `viem/accounts`, of all that these files load; what is only a type is loaded by nobody. */
const loadedBy = (files: readonly { readonly text: string }[]): Set<string> =>
  new Set(
    files
      .flatMap(({ text }) => [...text.matchAll(IMPORT)].map(([, name = '']) => name))
      .filter((name) => !name.startsWith('node:'))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
  );

/** What others ask to find beside them. */
function peersOf(name: string): string[] {
  const manifest = readFileSync(`node_modules/${name}/package.json`, 'utf8');
  const { peerDependencies = {}, peerDependenciesMeta = {} } = JSON.parse(manifest) as {
    peerDependencies?: Record<string, string>;
    peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  };
  return Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
}

const loaded = loadedBy(product);

test('production installs what the service loads or what that asks for, and nothing else', () => {
  const needed = [...loaded].filter((name) => name in dependencies).flatMap(peersOf);
  const unused = Object.keys(dependencies).filter(
    (name) => !loaded.has(name) && !needed.includes(name),
  );
  expect(unused).toEqual([]);
});

test('what the service loads is declared, and there in production', () => {
  expect([...loaded].filter((name) => !(name in dependencies))).toEqual([]);
});

/** Started by their command, or read by the compiler. */
const TOOLS = [
  '@biomejs/biome',
  '@openzeppelin/contracts',
  '@stryker-mutator/core',
  '@stryker-mutator/vitest-runner',
  '@types/node',
  'typescript',
];

test('what only development installs is loaded by tests or scripts, or says the types of what is', () => {
  const everywhere = loadedBy(sources);
  const idle = Object.keys(devDependencies).filter((name) => {
    const typed = name.replace('@types/', '');
    return !everywhere.has(name) && !everywhere.has(typed) && !TOOLS.includes(name);
  });
  // Named by a constant, since production goes on without it.
  expect(idle).toEqual(['pino-pretty']);
});
