import { expect, test } from 'vitest';
import { judgeOpenFiles, openFilesMax } from './open-files.ts';

test('a process with too few files does not start, and one with few says so', () => {
  expect(openFilesMax()).toBeGreaterThan(0);
  expect(judgeOpenFiles(256)).toMatchObject({ refuses: true, why: expect.stringContaining('512') });
  expect(judgeOpenFiles(1024)).toMatchObject({ refuses: false });
  expect(judgeOpenFiles(65_536)).toBeUndefined();
});
