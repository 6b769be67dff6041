import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createLog, requestLines, scrub } from './log.ts';

const run = (ending: string) =>
  promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    `import { createLog } from '${import.meta.resolve('./log.ts')}';
     const log = createLog('info');
     for (let i = 0; i < 3; i += 1) log.info({ i }, 'line');
     ${ending}`,
  ]).catch((error: { stdout: string }) => error);

test('lines that still wait to be written are written when the process ends, however it does', async () => {
  for (const ending of ['', 'process.exit(0);', "throw new Error('broken');"]) {
    const { stdout } = await run(ending);
    const lines = stdout.trim().split('\n');
    expect(
      lines.map((line) => JSON.parse(line).i),
      ending,
    ).toEqual([0, 1, 2]);
  }
});

test('what may be a card or a key does not get into error texts', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  log.error({ err: new Error('card 4111 1111 1111 1111 refused') }, 'unforeseen');
  log.info({ headers: { 'x-api-key': 'ak_secret' }, user: { password: 'hunter2' } }, 'asked');
  expect(lines.join('')).not.toMatch(/4111|ak_secret|hunter2/);
  expect(scrub(`key 0x${'ab'.repeat(32)}`)).toBe('key [redacted]');
});

test('the line of an answered request is JSON like any other, and silent when lines are', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const answered = { reqId: 'r-1', route: 'GET /users/{user_id}', status: 200, ms: 1.5 };
  requestLines(createLog('info', stream))(answered);
  requestLines(createLog('warn', stream))(answered);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'info', time: expect.stringMatching(/Z$/), ...answered, msg: 'request' },
  ]);
  expect(lines[0]?.endsWith('\n')).toBe(true);
});
