import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inFeature, product } from './sources.ts';

/** The eight domains of the features, from the lowest: a feature imports its own domain and earlier ones. */
const DOMAINS = [
  'messaging',
  'fiat',
  'accounts',
  'chain-wallets',
  'ramps',
  'banking',
  'commerce',
  'operator',
] as const;

const order = (domain: string) => (DOMAINS as readonly string[]).indexOf(domain);

test('every feature belongs to one of the eight domains', () => {
  const found = globSync('src/features/*/').map((path) => path.split('/')[2]);
  expect(found.sort()).toEqual([...DOMAINS].sort());
});

test('a domain imports no domain above it', () => {
  const upward = product.flatMap(({ path, text }) => {
    const own = inFeature(path)?.domain;
    if (own === undefined) return [];
    return [...text.matchAll(/'#features\/([\w-]+)\/[^']+'/g)]
      .filter(([, other = '']) => order(other) > order(own))
      .map(([target]) => `${path}: ${target}`);
  });
  expect(upward).toEqual([]);
});

test('the README of a domain names each of its features', () => {
  const missing = globSync('src/features/*/*/').filter((path) => {
    const [, , domain, feature] = path.split('/');
    return !readFileSync(`src/features/${domain}/README.md`, 'utf8').includes(`[${feature}](`);
  });
  expect(missing).toEqual([]);
});
