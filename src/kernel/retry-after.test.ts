import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { defineJob } from '#kernel/jobs/job.ts';
import { atEnd } from '#test/at-end.ts';
import { jobsBench } from '#test/jobs.ts';
import { callHttp, callRepeatable } from './provider-call.ts';
import { hearingWaits, retryAfterOf } from './retry-after.ts';

const { db, instance } = jobsBench();

let calls = 0;
const server = createServer((_request, response) => {
  calls += 1;
  response.writeHead(503, { 'retry-after': '120' }).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
atEnd(async () => {
  server.close();
  server.closeAllConnections();
});
const { port } = server.address() as AddressInfo;
const call = { name: 'test', method: 'GET', url: `http://127.0.0.1:${port}` } as const;

test('a wait is read in seconds, as a date and in milliseconds, and is a day at most', () => {
  const now = Date.parse('2026-11-27T00:00:00Z');
  expect(retryAfterOf({ 'retry-after': '5' }, now)).toBe(5000);
  expect(retryAfterOf({ 'Retry-After': '5' }, now)).toBe(5000);
  expect(retryAfterOf({ 'retry-after': 'Fri, 27 Nov 2026 00:01:00 GMT' }, now)).toBe(60_000);
  expect(retryAfterOf({ 'retry-after': 'Thu, 26 Nov 2026 00:00:00 GMT' }, now)).toBe(0);
  expect(retryAfterOf({ 'retry-after-ms': '250', 'retry-after': '1' }, now)).toBe(250);
  expect(retryAfterOf({ 'retry-after': '9999999' }, now)).toBe(86_400_000);
  for (const headers of [{}, { 'retry-after': '' }, { 'retry-after': 'soon' }])
    expect(retryAfterOf(headers, now)).toBeUndefined();
});

test('a run hears the longest wait of its calls, and no other run does', async () => {
  const run = hearingWaits(() => callHttp(call));
  const other = hearingWaits(async () => undefined);
  await Promise.all([run.ended, other.ended]);
  expect([run.waitMs(), other.waitMs()]).toEqual([120_000, 0]);
});

test('a repeatable call is not repeated at once where the provider wants to be left alone', async () => {
  calls = 0;
  expect(await callRepeatable(() => call)).toEqual({ lost: 'status 503' });
  expect(calls).toBe(1);
});

test.each([
  ['fails', () => Promise.reject(new Error('No answer'))],
  ['comes again', () => Promise.resolve({ again: new Date() })],
])('a job that %s waits as long as the provider asks for', async (_what, end) => {
  const job = defineJob<object>({
    name: 't.wait',
    async run() {
      await callHttp(call);
      return end();
    },
  });
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, {}, { key: 'a' });
  await jobs.drain();
  const [row] = await run<{ wait_s: number }>(
    db(),
    `select extract(epoch from due_at - now())::float8 as wait_s from jobs where name = 't.wait'`,
    [],
  );
  expect(row?.wait_s).toBeGreaterThan(110);
});
