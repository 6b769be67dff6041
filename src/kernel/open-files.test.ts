import { expect, test } from 'vitest';
import { checkOpenFiles, openFilesMax } from './open-files.ts';

test('a process with too few files does not start, and one with few says so', () => {
  expect(openFilesMax()).toBeGreaterThan(0);
  expect(checkOpenFiles(256)).toMatchObject({ refuses: true, why: expect.stringContaining('512') });
  expect(checkOpenFiles(1024)).toMatchObject({ refuses: false });
  expect(checkOpenFiles(65_536)).toBeUndefined();
});
