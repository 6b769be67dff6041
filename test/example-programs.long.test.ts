import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { seed } from '#src/app/seed.ts';
import { freePorts } from '../chaos/fleet/ports.ts';
import { type Harness, harness } from './harness.ts';
import { runFolder } from './run-folder.ts';
import { asShown, blocksOf, outputsIn } from './shown-blocks.ts';

const folders = await readdir('examples', { withFileTypes: true });
const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const [port = ''] = (await freePorts(1)).map(String);

/** A clone with the SDK and the examples only, in which the first command of their page has been run. */
async function cloned(): Promise<string> {
  const clone = await runFolder();
  await cp('packages/sdk', join(clone, 'packages/sdk'), { recursive: true });
  await cp('tsconfig.json', join(clone, 'tsconfig.json'));
  await symlink(resolve('node_modules'), join(clone, 'node_modules'));
  const examples = join(clone, 'examples');
  await cp('examples', examples, { recursive: true });
  const [install] = blocksOf(await readFile('examples/README.md', 'utf8'));
  const env = { ...process.env, npm_config_audit: 'false' };
  await promisify(execFile)('sh', ['-ec', install?.text ?? ''], { cwd: examples, env });
  return examples;
}
const examples = await cloned();

/** The example's folder, with the addresses of this service in its files. */
async function placed(name: string, h: Harness): Promise<string> {
  const folder = join(examples, name);
  for (const one of await readdir(folder)) {
    const path = join(folder, one);
    const text = await readFile(path, 'utf8');
    const addressed = text
      .replaceAll('http://localhost:3001', h.app.sandboxUrl())
      .replaceAll('8080', port);
    await writeFile(path, addressed);
  }
  return folder;
}

test('each example has a page of at most ten lines of text', async () => {
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const page = await readFile(`examples/${name}/README.md`, 'utf8');
    expect(page.split('\n').filter(Boolean).length, name).toBeLessThanOrEqual(10);
  }
});

for (const name of names)
  test(`the example ${name} does what its page says`, async () => {
    const h = await harness({ config: { ROLE: 'all' } });
    await seed(h.kernel, h.app.features.afterUser);
    const folder = await placed(name, h);
    const page = await readFile(join(folder, 'README.md'), 'utf8');
    const commands = blocksOf(page).map(({ text }) => text);
    const where = `export ARCHIPAY_URL=${h.kernel.publicUrl()}\n`;
    const printed = await outputsIn(folder, [where + commands.join('\n')]);
    // Where `…` stands for what differs.
    const expected = await readFile(join('examples', name, 'printed.txt'), 'utf8');
    expect(printed.join('\n')).toMatch(asShown(expected));
  });

test('the page of the repository begins with a settled payment, and has no block that is not run', async () => {
  const page = await readFile('README.md', 'utf8');
  const blocks = blocksOf(page);
  const [started, commands, program, output, ...others] = blocks;
  expect(started?.text).toBe('npm ci && npm start\n');
  const [install, ...run] = commands?.text.split('\n') ?? [];
  const [same] = blocksOf(await readFile('examples/README.md', 'utf8'));
  expect(install).toBe(`cd examples && ${same?.text.trim()}`);
  expect(program?.text).toBe(await readFile('examples/pay.js', 'utf8'));
  // These run in the tests of the demo, of the start and of the whole repository.
  expect(others.filter(({ info }) => info === 'sh').map(({ text }) => text)).toEqual([
    'npm ci && npm start -- --demo\n',
    'npm ci && npm test\n',
  ]);
  expect(page.split('\n').length - 1).toBeLessThanOrEqual(130);

  const h = await harness({ config: { ROLE: 'all' } });
  await seed(h.kernel, h.app.features.afterUser);
  const where = `export ARCHIPAY_URL=${h.kernel.publicUrl()}\n`;
  const once = where + run.join('\n');
  for (const printed of await outputsIn(examples, [once, once]))
    expect(printed).toMatch(asShown(output?.text ?? ''));
});
