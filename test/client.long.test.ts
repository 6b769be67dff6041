import { execFile } from 'node:child_process';
import { copyFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { DEMO, seed } from '#src/app/seed.ts';
import { generateClient, type OpenApi } from './client/generate.ts';
import { harness } from './harness.ts';
import { runFolder } from './run-folder.ts';

const h = await harness();
await seed(h.kernel, h.app.features.afterUser);
const folder = await runFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));

const SETTINGS = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2024',
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  },
};

test('a client generated from the document does the main job without a cast', async () => {
  const reply = await fetch(`${h.kernel.publicUrl()}/openapi.json`);
  const document = (await reply.json()) as OpenApi;
  await writeFile(join(folder, 'api.ts'), generateClient(document));
  await copyFile('test/client/walk.txt', join(folder, 'walk.ts'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));

  const run = promisify(execFile);
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const checked = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error);
  expect(checked.stdout).toBe('');

  const { email, password } = DEMO.user;
  const args = [join(folder, 'walk.ts'), h.app.apiUrl(), DEMO.apiKey, email, password];
  const { stdout } = await run(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual({
    user: 'demo-user',
    reference: true,
    lines: [['97.00', '97.00']],
    refused: [400, 'CARD_DECLINED'],
  });
});
