import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the console builds missing files, and logs their folder', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/console-folder.ts']);
  expect(existsSync(join(stdout.trim(), 'index.html'))).toBe(true);
});
