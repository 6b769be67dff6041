import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { testFolder } from '#test/folders.ts';
import { loadSecrets } from './secrets-file.ts';

const dir = await testFolder(inject('testRun'));
afterAll(() => rm(dir, { recursive: true, force: true }));

const secretsIn = (name: string) =>
  loadSecrets(loadConfig({ NODE_ENV: 'test', DATA_DIR: join(dir, name) }));

test('processes that start at once in an empty folder get the same secrets', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => secretsIn('at-once')));
  expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  expect(await secretsIn('at-once')).toEqual(all[0]);
});

test('a damaged secrets file stops the start and stays unchanged', async () => {
  const kept = await secretsIn('damaged');
  const path = join(dir, 'damaged', 'secrets.json');
  const half = JSON.stringify(kept).slice(0, 40);
  await chmod(path, 0o600);
  await writeFile(path, half);
  await expect(secretsIn('damaged')).rejects.toThrow();
  expect(await readFile(path, 'utf8')).toBe(half);
});
