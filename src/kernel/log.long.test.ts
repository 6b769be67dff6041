import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { causedBy } from './cause.ts';
import { createLog, requestLines, scrub } from './log.ts';
import { withLogFacts } from './log-context.ts';

const run = (ending: string) =>
  promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { createLog } from '${import.meta.resolve('./log.ts')}';
     const log = createLog('info');
     for (let i = 0; i < 3; i += 1) log.info({ i }, 'line');
     ${ending}`,
    ],
    { maxBuffer: 16 * 1024 * 1024 },
  ).catch((error: { stdout: string }) => error);

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

test('lines of any length and alphabet leave whole and in their order', async () => {
  const { stdout } = await run(`
    for (const [i, length] of [10, 30_000, 10, 100_000, 20_000, 3000].entries())
      log.info({ i: i + 3, text: 'é漢🙂'.repeat(length) }, 'line');`);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ i }) => i)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(lines.slice(3).map(({ text }) => text === 'é漢🙂'.repeat(text.length / 4))).toEqual(
    Array(6).fill(true),
  );
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

test('it says who asked, what came of it and under which names more is to be found', () => {
  const lines: string[] = [];
  const write = requestLines(createLog('info', { write: (line) => void lines.push(line) }));
  const base = { reqId: 'r-2', route: 'POST /x', status: 400, ms: 3 };
  const more = { code: 'CARD_DECLINED', ip: '192.0.2.1', operation: 'o-1', trace_id: 't-1' };
  const who = { client_id: 3, user_id: 7, key: 'ak_12345' };
  write({ ...base, ...more, who, replayed: true });
  write({ ...base, who: { client_id: null, user_id: null, userx_id: 5 } });
  const [whole, half] = lines.map((line) => JSON.parse(line));
  expect(whole).toEqual({
    level: 'info',
    time: expect.any(String),
    msg: 'request',
    ...base,
    ...more,
    ...who,
    replayed: true,
  });
  expect(Object.keys(half)).toEqual([
    ...['level', 'time', 'reqId', 'route', 'status', 'ms', 'userx_id', 'msg'],
  ]);
});

test('what machines ask for every few seconds is for those who look for it', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const probe = { reqId: 'r-3', route: '/health/ready', status: 200, ms: 1 };
  requestLines(createLog('info', stream))(probe);
  requestLines(createLog('debug', stream))(probe);
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['debug']);
});

test('lines of work say of which job, effect, request and operation it is a part', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const cause = { request_id: 'r-4', idempotency_key: null, actor: 'user:1', operation: 'o-4' };
  causedBy({ cause: () => cause }, () =>
    withLogFacts({ effect: 'payout', effect_id: 'p-1' }, () => log.warn('slow')),
  );
  withLogFacts({ job: 'sweep' }, () => withLogFacts({ effect_id: 'p-2' }, () => log.info('swept')));
  log.info('alone');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'slow', reqId: 'r-4', operation: 'o-4', effect: 'payout', effect_id: 'p-1' },
    { msg: 'swept', job: 'sweep', effect_id: 'p-2' },
    { msg: 'alone' },
  ]);
  expect(Object.keys(JSON.parse(lines[2] ?? ''))).toEqual(['level', 'time', 'msg']);
});
