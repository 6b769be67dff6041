import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { seed } from '#src/app/seed.ts';
import { freePorts } from '../chaos/fleet/ports.ts';
import { type Harness, harness } from './harness.ts';
import { runFolder } from './run-folder.ts';
import { asShown, type Block, blocksOf, onSources, outputsIn } from './shown-blocks.ts';

const run = promisify(execFile);
const guides = globSync('docs/guides/*.md').map((path) => {
  const text = readFileSync(path, 'utf8');
  return { name: basename(path, '.md'), text, blocks: blocksOf(text) };
});

/** Runs the blocks of a guide, and answers what each has printed. */
async function outputsOf(blocks: readonly Block[], addressed: (text: string) => string) {
  const folder = await runFolder();
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const { info, text } of blocks)
    if (info.startsWith('ts '))
      await writeFile(join(folder, info.slice(3)), onSources(addressed(text)));
  const commands = blocks.filter(({ info }) => info === 'sh').map(({ text }) => addressed(text));
  return outputsIn(folder, commands);
}

const [port = ''] = (await freePorts(1)).map(String);

/** The addresses of a running service in the place of those in the text. */
const addressesOf = (h: Harness) => (text: string) =>
  text
    .replaceAll('http://localhost:3000', h.kernel.publicUrl())
    .replaceAll('http://localhost:3001', h.app.sandboxUrl())
    .replaceAll('8080', port);

const at = async (h: Harness, path: string) => {
  const reply = await fetch(h.kernel.publicUrl() + path);
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    text: await reply.text(),
  };
};

for (const { name, text, blocks } of guides) {
  test(`the guide ${name} does what it shows`, async () => {
    const mock = !text.includes('MOCK_MODE=false npm start');
    const h = await harness({ mock, config: { ROLE: 'all' } });
    await seed(h.kernel, h.app.features.afterUser);
    const outputs = await outputsOf(blocks, addressesOf(h));
    let nth = -1;
    for (const { info, text: shown } of blocks) {
      if (info === 'sh') nth += 1;
      else if (!info.startsWith('ts '))
        expect(outputs[nth], `block ${nth + 1}`).toMatch(asShown(shown));
    }
  });
}

test('a block of a guide is a command, a program with a name, or an output', () => {
  const others = guides.flatMap(({ name, blocks }) =>
    blocks
      .filter(({ info }) => !/^(sh|json|text|ts [\w-]+\.ts)$/.test(info))
      .map(({ info }) => `${name}: ${info}`),
  );
  expect(others).toEqual([]);
  expect(asShown('{…"a":1}').test('{"b":2,"a":1}')).toBe(true);
  expect(asShown('{…"a":1}').test('{"b":2,"a":12}')).toBe(false);
});

test('the programs of the guides have right types', async () => {
  const folder = await runFolder();
  for (const { name, blocks } of guides)
    for (const { info, text } of blocks)
      if (info.startsWith('ts '))
        await writeFile(join(folder, `${name}-${info.slice(3)}`), onSources(text));
  const compilerOptions = { typeRoots: [resolve('node_modules/@types')] };
  const config = { extends: resolve('tsconfig.json'), compilerOptions, include: ['*.ts'] };
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  // So that it is known to look.
  await writeFile(join(folder, 'wrong.ts'), "export const wrong: number = 'text';\n");
  const { stdout } = await run(resolve('node_modules/.bin/tsc'), ['-p', folder]).catch(
    (failed) => failed,
  );
  const errors = stdout.split('\n').filter((line: string) => line.includes('error'));
  expect(errors).toEqual([expect.stringContaining('wrong.ts(1,14): error TS2322')]);
});

test('the guides are served as pages and as text, with the addresses of the service', async () => {
  const h = await harness();
  const url = h.kernel.publicUrl();
  const list = await at(h, '/docs/guides');
  expect([list.status, list.type]).toEqual([200, 'text/html; charset=utf-8']);
  const llms = (await at(h, '/llms.txt')).text;
  for (const { name, text } of guides) {
    const title = /^# (.+)/.exec(text)?.[1];
    expect(list.text).toContain(`<a href="/docs/guides/${name}">${title}</a>`);
    expect(llms).toContain(`- [${title}](${url}/docs/guides/${name}.md): `);
    const page = await at(h, `/docs/guides/${name}`);
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text.match(/<h1>/g)).toHaveLength(1);
    expect(page.text).toContain(`export ARCHIPAY_URL=${url}`);
    expect(page.text).not.toMatch(/href="[\w-]+\.md"|localhost:3000/);
    const raw = await at(h, `/docs/guides/${name}.md`);
    expect([raw.status, raw.type]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(raw.text).toBe(text.replaceAll('http://localhost:3000', url));
  }
  const first = ['first-payment', 'webhooks', 'idempotency', 'test-mode', 'going-live', 'sign-up'];
  const shown = [...list.text.matchAll(/<h2><a href="\/docs\/guides\/([\w-]+)"/g)];
  expect(shown.map(([, name]) => name).slice(0, first.length)).toEqual(first);
  for (const path of ['nothing', 'nothing.md', '.md', '..%2Fsettings', 'constructor'])
    expect((await at(h, `/docs/guides/${path}`)).status).toBe(404);
});
