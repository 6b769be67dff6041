import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failedTests } from '../scripts/failed-tests.ts';

const file = (name: string, status = 'passed', message = '') => ({
  name: join(process.cwd(), name),
  status,
  message,
  assertionResults: [{ status: 'passed', fullName: 'holds', failureMessages: [] }],
});
const failing = (fullName: string, ...failureMessages: string[]) => ({
  status: 'failed',
  fullName,
  failureMessages,
});

test('each failed test is listed with file, name and first line of its error', () => {
  const why = '\u001b[31mError: 1 is not 2\u001b[39m\n    at somewhere';
  const report = {
    ...file('src/a.test.ts', 'failed'),
    assertionResults: [
      failing('money is kept', why, 'and what came of it'),
      { status: 'passed', fullName: 'holds', failureMessages: [] },
      failing('nothing is lost'),
    ],
  };
  expect(failedTests([file('src/b.test.ts'), report])).toEqual([
    'FAILED src/a.test.ts > money is kept: Error: 1 is not 2',
    'FAILED src/a.test.ts > nothing is lost: ',
  ]);
});

test('a file that cannot be loaded is named once', () => {
  const broken = { ...file('src/c.test.ts', 'failed', 'Cannot find it\nat'), assertionResults: [] };
  expect(failedTests([broken])).toEqual(['FAILED src/c.test.ts: Cannot find it']);
});
