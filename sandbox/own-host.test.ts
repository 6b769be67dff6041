import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { testSandbox } from '#test/sandbox.ts';
import { isExposed, refuseForeign } from './own-host.ts';

const { url } = await testSandbox();

/** `fetch` does not let anybody choose the host. */
async function knock(method: string, headers: Record<string, string>, at = url) {
  const { port } = new URL(at);
  const asked = request({ host: '127.0.0.1', port, path: '/clock', method, headers });
  asked.end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  reply.resume();
  return reply.statusCode;
}

test('it answers to the names of this machine with its own port, and to no other', async () => {
  const { port } = new URL(url);
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'])
    expect(await knock('GET', { host: `${host}:${port}` }), host).toBe(200);
  const foreign = ['evil.example', `evil.example:${port}`, 'localhost', 'localhost:1', '10.0.0.1'];
  for (const host of [...foreign, `localhost.evil.example:${port}`, `0.0.0.0:${port}`])
    expect(await knock('GET', { host }), host).toBe(421);
});

test('a foreign page gets nothing done, even by what browsers let it send', async () => {
  const { port, origin: own } = new URL(url);
  const host = `localhost:${port}`;
  const send = (origin: string) => knock('POST', { host, origin, 'content-type': 'text/plain' });
  for (const origin of [
    'http://evil.example',
    'null',
    `https://localhost:${port}`,
    'http://localhost:1',
  ])
    expect(await send(origin), origin).toBe(403);
  // Nothing is against this one but that it has no body.
  expect(await send(own)).toBe(400);
});

test('in a container it answers to its name and its addresses, by any port that is mapped to it', async () => {
  for (const [listening, name] of [
    ['0.0.0.0', '10.0.0.7'],
    ['archipay', 'archipay'],
    ['::', '[fd00::7]'],
  ] as const) {
    expect(isExposed(listening)).toBe(true);
    const server = Fastify();
    refuseForeign(server, listening);
    server.get('/clock', async () => ({}));
    const at = await server.listen({ host: '127.0.0.1', port: 0 });
    for (const host of ['localhost:13001', '127.0.0.1', name, `${name}:3001`])
      expect(await knock('GET', { host }, at), `${listening} ${host}`).toBe(200);
    for (const host of ['evil.example', 'evil.example:3001', `${name}.evil.example`])
      expect(await knock('GET', { host }, at), `${listening} ${host}`).toBe(421);
    await server.close();
  }
  for (const here of ['localhost', '127.0.0.1', '::1']) expect(isExposed(here)).toBe(false);
});
