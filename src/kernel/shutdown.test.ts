import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { endsWithin, runShutdown } from './shutdown.ts';

test('everything is ended in its turn, also when one before it fails or never comes to its end', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const ended: string[] = [];
  const one = (what: string, work?: () => unknown) => ({
    what,
    ms: work ? 20 : 60_000,
    end() {
      ended.push(what);
      return work?.();
    },
  });
  const failure = new Error('no');
  const all = runShutdown(
    [
      one('first'),
      one('throws', () => {
        throw failure;
      }),
      one('rejects', () => Promise.reject(new Error('later'))),
      one('never', () => new Promise(() => undefined)),
      one('last'),
    ],
    log,
  );
  await expect(all).rejects.toBe(failure);
  expect(ended).toEqual(['first', 'throws', 'rejects', 'never', 'last']);
  expect(lines.map((line) => JSON.parse(line).what)).toEqual(['throws', 'rejects', 'never']);
});

test('what is only late is no failure, and may fail unheard', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const log = createLog('silent');
  await runShutdown([{ what: 'late', ms: 0, end: () => promise }], log);
  reject(new Error('too late'));
  expect(await endsWithin(Promise.resolve(), 60_000)).toBe(true);
});
