import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('everything is done at the end but what was called off, by one listener, though some of it fails', async () => {
  const script = `import { onProcessExit } from '${import.meta.resolve('./process-exit.ts')}';
    const say = (text) => process.stdout.write(text + ' ');
    for (let n = 0; n < 20; n += 1) onProcessExit(() => say(n));
    onProcessExit(() => { throw new Error('broken'); });
    onProcessExit(() => say('never'))();
    onProcessExit(() => say('last'));
    say(process.listenerCount('exit'));`;
  const ended = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const error: { stdout: string; stderr: string } = await ended.catch((failed) => failed);
  expect(error.stdout).toBe(`1 ${Array.from({ length: 20 }, (_, n) => n).join(' ')} last `);
  expect(error.stderr).toContain('broken');
  expect(error.stderr).not.toContain('MaxListeners');
});
