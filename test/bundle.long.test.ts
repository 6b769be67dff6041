import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { bundledMain, keyOf } from '../scripts/bundle.ts';
import { serviceStarter } from './service.ts';

const folder = await mkdtemp(join(tmpdir(), 'archipay-bundle-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The folder of bundles, and the log lines about them. */
function home(name: string) {
  const said: string[] = [];
  return { said, home: join(folder, name), debug: (line: string) => void said.push(line) };
}

test('processes that start at once get one bundle, and later ones the same', async () => {
  const place = home('at-once');
  const starting = [1, 2, 3].map(() => bundledMain(place));
  const [first, ...others] = await Promise.all(starting);
  expect(first).toMatch(/\/at-once\/[0-9a-f]{32}\/main\.js$/);
  expect(new Set(others)).toEqual(new Set([first]));
  expect(await bundledMain(place)).toBe(first);
  expect(await readdir(place.home)).toHaveLength(1);
  expect(place.said).toEqual([]);
});

test('a bundler that is killed half way leaves nothing that passes for a bundle', async () => {
  const place = home('killed');
  const root = join(import.meta.dirname, '..');
  const bundle = join(place.home, keyOf(root));
  const maker = spawn(process.execPath, ['scripts/make-bundle.ts', root, bundle], { cwd: root });
  await expect.poll(() => readdir(place.home).catch(() => [])).toHaveLength(1);
  maker.kill('SIGKILL');
  await once(maker, 'exit');
  expect(await readdir(place.home)).toEqual([`${keyOf(root)}.${maker.pid}`]);
  expect(await bundledMain(place)).toBe(join(bundle, 'main.js'));
});

test('a start without a writable folder runs the sources, and logs it at debug', async () => {
  await writeFile(join(folder, 'a-file'), '');
  const place = home('a-file/below');
  expect(await bundledMain(place)).toBeUndefined();
  expect(place.said.join()).toMatch(
    /^started from the sources, since there is no bundle: .*ENOTDIR/s,
  );
});

test('a bundle’s name depends on all its sources, and on no test', async () => {
  const root = join(folder, 'checkout');
  await mkdir(join(root, 'src/kernel'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'scripts'])
    await cp(file, join(root, file), { recursive: true });
  const [source, ofTests] = [join(root, 'src/kernel/a.ts'), join(root, 'src/kernel/a.test.ts')];
  const named = async (path: string, text: string) => {
    await writeFile(path, text);
    return keyOf(root);
  };
  const before = await named(source, 'export const a = 1;');
  expect(await named(ofTests, 'what tests say')).toBe(before);
  expect(await named(source, 'export const a = 2;')).not.toBe(before);
  expect(await named(source, 'export const a = 1;')).toBe(before);
  const lock = await readFile('package-lock.json', 'utf8');
  expect(await named(join(root, 'package-lock.json'), `${lock}\n`)).not.toBe(before);
});

test('a bundle of the production image has no sandbox and no embedded database', async () => {
  const root = join(folder, 'image');
  await mkdir(root);
  for (const part of ['package.json', 'package-lock.json', 'scripts', 'src'])
    await cp(part, join(root, part), { recursive: true });
  await symlink(join(import.meta.dirname, '../node_modules'), join(root, 'node_modules'));
  const bundle = join(root, '.bundle/production');
  await promisify(execFile)(process.execPath, ['scripts/make-bundle.ts', root, bundle]);
  const files = (await readFile(join(bundle, 'sources.txt'), 'utf8')).split('\n');
  expect(files).toContain('src/app/sandbox-door.ts');
  expect(files.filter((file) => /^(sandbox|embedded)\//.test(file))).toEqual([]);
});

test('the command that makes a bundle prints its folder', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    'scripts/run.mjs',
    'scripts/bundle.ts',
  ]);
  expect(stdout.trim()).toBe(await bundledMain());
  expect(existsSync(stdout.trim())).toBe(true);
});

test('a service started from its bundle finds the files beside its sources', async () => {
  const start = await serviceStarter();
  const { api, sandbox, said, end } = await start({ LOG_LEVEL: 'debug' });
  expect(said()).not.toContain('started from the sources');
  const base = api.replace(/\/api$/, '');
  const statusOf = async (url: string) => (await fetch(url)).status;
  expect(await statusOf(`${base}/version`)).toBe(200);
  expect(await statusOf(`${base}/docs`)).toBe(200);
  expect(await statusOf(sandbox)).toBe(200);
  expect(await statusOf(`${base}/health/ready`)).toBe(200);
  expect(await end('SIGTERM')).toBe(0);
});
