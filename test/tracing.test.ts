import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { inSpan } from '#kernel/trace.ts';
import { startTracing } from '#src/app/tracing.ts';
import { loadConfig } from '#src/config.ts';

test('traces go to the configured collector, with names and no contents of errors', async () => {
  const received: { url: string; body: string }[] = [];
  const collector = createServer((request, reply) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('latin1')));
    request.on('end', () => {
      received.push({ url: request.url ?? '', body });
      reply.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const stop = await startTracing(
    loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }),
  );
  const secret = 'card 4111111111111111';
  const work = inSpan('GET /traced', async () => {
    throw new Error(secret);
  });
  await expect(work).rejects.toThrow(secret);
  await stop();
  collector.close();
  expect(received.map(({ url }) => url)).toEqual(['/v1/traces']);
  expect(received[0]?.body).toContain('GET /traced');
  expect(received[0]?.body).not.toContain('4111');
});
