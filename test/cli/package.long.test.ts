import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { seed } from '#src/app/seed.ts';
import { harness } from '../harness.ts';
import { runFolder } from '../run-folder.ts';
import { cliOf } from './cli.ts';

const h = await harness({ config: { ROLE: 'all' } });
await seed(h.kernel, h.app.features.afterUser);
const folder = await runFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));
const run = promisify(execFile);

/** Node 20 where the machine has one of its own, beside that of the repository. */
async function nodes(): Promise<string[]> {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  for (const place of places.filter((one) => !one.includes('node_modules'))) {
    const found = await run(join(place, 'node'), ['--version']).catch(() => undefined);
    if (found && Number(found.stdout.slice(1).split('.')[0]) >= 20)
      return [process.execPath, join(place, 'node')];
  }
  return [process.execPath];
}

test('the packed program is one file, installed without a network, and works in each Node', async () => {
  const copy = join(folder, 'cli');
  await cp('packages/cli', copy, { recursive: true });
  await rm(join(copy, 'dist'), { recursive: true, force: true });
  // As `npm pack` makes it, into the copy.
  const { scripts } = JSON.parse(await readFile('packages/cli/package.json', 'utf8'));
  const [node = '', ...words] = scripts.prepack.split(' ');
  await mkdir(join(copy, 'dist'));
  await run(node, [...words, join(copy, 'dist/archipay.js')], { cwd: 'packages/cli' });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename, size, files }] = JSON.parse((await run('npm', pack, { cwd: copy })).stdout);
  expect(size).toBeLessThan(120_000);
  expect(files.map(({ path }: { path: string }) => path).sort()).toEqual([
    'README.md',
    'dist/archipay.js',
    'package.json',
  ]);
  const place = join(folder, 'place');
  await mkdir(place);
  await writeFile(join(place, 'package.json'), '{"name": "place"}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)];
  await run('npm', install, { cwd: place });
  const program = join(place, 'node_modules/.bin/archipay');
  expect((await run(program, ['--version'])).stdout).toBe('1.0.0\n');
  for (const node of await nodes()) {
    const cli = await cliOf(h.kernel.publicUrl(), [node, program]);
    const logged = await cli.run(['login', '--demo']);
    expect([node, logged.code, logged.err]).toEqual([node, 0, '']);
    const { out, code } = await cli.run(['trigger', 'payment.succeeded', '--json']);
    expect([node, code, JSON.parse(out).type]).toEqual([node, 0, 'payment.succeeded']);
  }
});
