import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trace } from '@opentelemetry/api';
import { Type } from 'typebox';
import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { mount } from '#kernel/http/serve/mount.ts';
import { createServer as createApiServer } from '#kernel/http/serve/server.ts';
import { inSpan } from '#kernel/trace.ts';
import { startTracing } from '#src/app/operate/tracing.ts';
import { harness } from './harness.ts';

const h = await harness();
let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

/** Starts tracing; answers the collector. */
async function collecting() {
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
  const endpoint = `http://127.0.0.1:${port}`;
  const end = await startTracing(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }));
  stop = async () => {
    stop = undefined;
    await end();
    collector.close();
  };
  return { received, stop };
}

test('traces go to the configured collector, with names and no contents of errors', async () => {
  const { received, stop } = await collecting();
  const secret = 'card 4111111111111111';
  const work = inSpan('GET /traced', async () => {
    throw new Error(secret);
  });
  await expect(work).rejects.toThrow(secret);
  await stop();
  expect(received.map(({ url }) => url)).toEqual(['/v1/traces']);
  expect(received[0]?.body).toContain('GET /traced');
  expect(received[0]?.body).not.toContain('41111111');
});

test('an endpoint’s work is within a span of its own until the answer', async () => {
  const { received, stop } = await collecting();
  const route = endpoints(errorEnvelope)('GET /spans', {
    name: 'things.do',
    auth: 'public',
    summary: 'Whether there is one',
    reply: { 200: Type.Object({ recording: Type.Boolean() }) },
    async handler() {
      await new Promise(setImmediate);
      return { recording: trace.getActiveSpan()?.isRecording() === true };
    },
  });
  const options = { corsOrigins: '', trustProxy: undefined, routes: [route] };
  const server = await createApiServer({ ...h.kernel, ...options });
  await server.register(async (api) => mount(api, [route], h.kernel), { prefix: '/api' });
  expect((await server.inject('/api/spans')).json()).toEqual({ recording: true });
  await server.close();
  await stop();
  expect(received[0]?.body).toContain('GET /spans');
});
