import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, inject, test } from 'vitest';
import { productDocument } from '../scripts/product-document.ts';
import { generateClient, type OpenApi } from './client/generate.ts';
import { command } from './command.ts';
import { product } from './tidy/sources.ts';

/** The console: the answers it reads, its build, and its limits. */

const folder = await mkdtemp(join(tmpdir(), `archipay-test-${inject('testRun')}-`));
afterAll(() => rm(folder, { recursive: true, force: true }));
const files = globSync('console/**/*.{ts,tsx,css}').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}));

test('the console’s calls and types match the document', async () => {
  const document = productDocument() as unknown as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [thing = '', verb = ''] = operation['x-archipay-method'].split('.');
      return [`${method.toUpperCase()} ${path}`, `Api['${thing}']['${verb}']`] as const;
    }),
  );
  const shapes = await Promise.all(
    ['console/shapes.ts', 'console/client-endpoints.ts'].map((path) => readFile(path, 'utf8')),
  );
  const calls = shapes.flatMap((text) => [...text.matchAll(/^ {2}'(\w+ \/\S+)':/gm)]);
  const ids = calls.map(([, id = '']) => id);
  const known = operations.filter(([id]) => ids.includes(id));
  const unknown = ids.filter((id) => !known.some(([one]) => one === id));
  expect(unknown).toEqual([]);
  expect(calls.length).toBeGreaterThan(15);

  await writeFile(join(folder, 'api.ts'), generateClient(document));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'check.ts'), checkOf(known));
  const settings = {
    extends: resolve('tsconfig.console.json'),
    compilerOptions: { types: [], lib: ['es2024', 'dom'], rootDir: '/' },
    include: [join(folder, 'check.ts')],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const checked = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    (error) => error,
  );
  expect(checked.stdout).toBe('');
});

/** An error where an answer could differ from the type shown, or an endpoint does not take the call. */
const checkOf = (known: readonly (readonly [id: string, call: string])[]): string => `
import type { Api } from './api.ts';
import type { Endpoints } from ${JSON.stringify(resolve('console/shapes.ts'))};
type Told = {
${known.map(([id, call]) => `  '${id}': ${call};`).join('\n')}
};
type Asked<K extends keyof Endpoints> = Omit<Endpoints[K], 'answer'>;
type Wrong = {
  [K in keyof Told & keyof Endpoints]: Awaited<ReturnType<Told[K]>> extends Endpoints[K]['answer']
    ? Asked<K> extends NonNullable<Parameters<Told[K]>[0]> ? never : ['asked otherwise', K]
    : ['answered otherwise', K];
}[keyof Told & keyof Endpoints];
const check = (wrong: Wrong): never => wrong;
export const checked = check;
`;

test('its files are named by their content, listed with their types, and small', async () => {
  const out = join(folder, 'built');
  const { code, err } = await command(['scripts/build-console.ts', '--out', out], {});
  expect([code, err]).toEqual([0, '']);
  const { files: listed } = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
  const chunks: { path: string }[] = listed.slice(3);
  expect(listed).toEqual([
    {
      path: expect.stringMatching(/^console-[\w-]{8}\.js$/),
      type: 'text/javascript; charset=utf-8',
    },
    { path: expect.stringMatching(/^console-[\w-]{8}\.css$/), type: 'text/css; charset=utf-8' },
    { path: 'index.html', type: 'text/html; charset=utf-8' },
    ...chunks,
  ]);
  // Screens that the reader does not open are not loaded.
  expect(chunks.length).toBeGreaterThan(8);
  for (const { path } of chunks) expect(path).toMatch(/^[\w.-]+-[\w-]{8}\.js$/);
  const page = await readFile(join(out, 'index.html'), 'utf8');
  for (const { path } of listed.slice(0, 2)) expect(page).toContain(`"/console/${path}"`);
  // Contains nothing that its policy would refuse.
  expect(page).not.toMatch(/<script(?! type="module" src=)|<style|\son\w+=|\sstyle=/);
  const texts = await Promise.all(
    listed.map(({ path }: { path: string }) => readFile(join(out, path))),
  );
  const sizes = texts.map((text) => gzipSync(text).length);
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0);
  const isFirst = ({ path }: { path: string }) =>
    path === 'index.html' || page.includes(`"/console/${path}"`);
  const first = sizes.filter((_, i) => isFirst(listed[i]));
  const screens = sizes.filter((_, i) => !isFirst(listed[i]));
  expect(sum(first), 'bytes of the first load, packed').toBeLessThan(FIRST_LOAD);
  expect(Math.max(...screens), 'bytes of a screen, packed').toBeLessThan(SCREEN);
  expect(sum(sizes), 'bytes of all, packed').toBeLessThan(ALL);
});

/** React is 67 KiB of it, and the two of TanStack are 37. */
const FIRST_LOAD = 128 * 1024;
const SCREEN = 16 * 1024;
const ALL = 220 * 1024;

test('the service loads nothing of the console, which loads only its constants', () => {
  const places = product.flatMap(({ path, text }) =>
    [...text.matchAll(/from '([^']+)'/g)].map(
      ([, to = '']) => `${path} ${to.startsWith('.') ? join(path, '..', to) : to}`,
    ),
  );
  expect(places.filter((one) => / (console\/|react|@tanstack)/.test(one))).toEqual([]);
  const taken = files.flatMap(({ text }) =>
    [...text.matchAll(/from '(#[^']+)'/g)].map(([, at]) => at),
  );
  expect([...new Set(taken)].sort()).toEqual([
    '#features/fiat/fiat-wallets/currencies.ts',
    '#kernel/money/money.ts',
  ]);
});

test('its parts are small, those of its kit smaller still', () => {
  const limit = (path: string) => (path.startsWith('console/ui/') ? 120 : 300);
  const long = files.filter(({ path, text }) => text.split('\n').length - 1 > limit(path));
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('no console code makes markup of text, or a style of an attribute', () => {
  const unsafe = /dangerouslySetInnerHTML|innerHTML|style=\{|document\.write|\beval\(/;
  expect(files.filter(({ text }) => unsafe.test(text)).map(({ path }) => path)).toEqual([]);
});
