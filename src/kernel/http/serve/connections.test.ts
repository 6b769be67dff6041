import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { harness } from '#test/harness.ts';
import { gate } from '#test/waiting.ts';
import { mount } from './mount.ts';
import { createServer } from './server.ts';

const h = await harness();

/** More than fits on the way to somebody who does not listen. */
const LARGE = 'x'.repeat(30_000_000);

/** A server whose thing `wait` waits, and whose other things are there at once. */
async function listening({ answerMs = 60_000 } = {}) {
  const { pass, reached, open } = gate();
  const asked: string[] = [];
  const routes = (['GET', 'POST'] as const).map((method) =>
    endpoints(codedEnvelope)(`${method} /things/{name}`, {
      name: 'things.do',
      auth: 'public',
      summary: 'Waits, or does not',
      params: Type.Object({ name: Type.String() }),
      reply: { 200: Type.Object({ name: Type.String() }) },
      async handler({ params: { name } }) {
        asked.push(name);
        if (name === 'wait') await pass();
        return { name: name === 'large' ? LARGE : name };
      },
    }),
  );
  const options = { corsOrigins: '', trustProxy: undefined, routes, answerMs };
  const server = await createServer({ ...h.kernel, ...options });
  await server.register(async (api) => mount(api, routes, h.kernel), { prefix: '/api' });
  const sockets: Socket[] = [];
  server.server.on('connection', (socket) => sockets.push(socket));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  /** How much has been said on each connection, in the order of their coming. */
  const read = () => sockets.map(({ bytesRead }) => bytesRead);
  return { server, port, asked, reached, open, read, sockets };
}

/** A connection on which this is said; `heard` is all that comes until its end. */
async function say(port: number, words: string) {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  let heard = '';
  socket.on('data', (part) => (heard += part));
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
  await once(socket, 'connect');
  if (words !== '') socket.write(words);
  return {
    say: (more: string) => socket.write(more),
    heard: () => heard,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    ended,
  };
}

/** Begun when it answers. */
async function stop(server: FastifyInstance) {
  const whole = server.close();
  await expect.poll(() => server.server.listening).toBe(false);
  return { whole };
}

const get = (name: string): string => `GET /api/things/${name} HTTP/1.1\r\nhost: here\r\n\r\n`;

// Well before Node itself would lose patience with the connections.
test('a stop ends connections on which nothing is under way, whatever was said on them', async () => {
  const { server, port, read } = await listening();
  const said = ['', 'GET /api/thi', 'GET /api/things/half HTTP/1.1\r\nhost: he', get('whole')];
  const all: Awaited<ReturnType<typeof say>>[] = [];
  for (const words of said) {
    all.push(await say(port, words));
    const lengths = said.slice(0, all.length).map(({ length }) => length);
    await expect.poll(read).toEqual(lengths);
  }
  await expect.poll(() => all[3]?.heard()).toContain('"whole"');
  all[3]?.say('GET');
  await expect.poll(() => read()[3]).toBe(get('whole').length + 3);
  await server.close();
  for (const { ended } of all) await ended;
});

test('a request that takes too long is cut off, and so is one that never arrives as a whole', async () => {
  const { server, port, asked, reached, read } = await listening({ answerMs: 100 });
  const asking = await say(port, get('wait'));
  await reached;
  const head = 'POST /api/things/half HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n';
  const half = `${head}content-type: application/json\r\n\r\n{`;
  const telling = await say(port, half);
  await expect.poll(() => read()[1]).toBe(half.length);
  await server.close();
  expect(await Promise.all([asking.ended, telling.ended])).toEqual(['', '']);
  expect(asked).toEqual(['wait']);
});

test('what comes while the server stops is told that nothing was begun, the rest is answered', async () => {
  const { server, port, asked, reached, open } = await listening();
  const asking = await say(port, get('wait'));
  await reached;
  const stopped = await stop(server);
  const request = once(server.server, 'request');
  asking.say(get('late'));
  await request;
  open();
  const [first = '', second = ''] = (await asking.ended).split(/(?=HTTP\/1.1 503)/);
  await stopped.whole;
  expect(first).toMatch(/^HTTP\/1.1 200 /);
  expect(first).toContain('"wait"');
  const [head = '', body = ''] = second.split('\r\n\r\n');
  expect(head).toMatch(/^retry-after: 1$/im);
  expect(head).toMatch(/^connection: close$/im);
  expect(head).toMatch(/^x-request-id: /im);
  expect(JSON.parse(body)).toEqual({
    success: false,
    error: {
      code: 'SHUTTING_DOWN',
      message: 'The service is shutting down and did not start this request',
      hint: expect.stringContaining('Retry-After'),
      doc_url: expect.stringMatching(/\/docs\/errors\/SHUTTING_DOWN$/),
    },
    timestamp: expect.any(String),
    request_id: expect.any(String),
  });
  expect(asked).toEqual(['wait']);
});

test('an answer that is half given is given whole', async () => {
  const { server, port, sockets } = await listening();
  const asking = await say(port, '');
  asking.pause();
  asking.say(get('large'));
  await expect.poll(() => sockets[0]?.writableLength).toBeGreaterThan(0);
  const stopped = await stop(server);
  asking.resume();
  expect((await asking.ended).includes(LARGE)).toBe(true);
  await stopped.whole;
});

test('the last answer on a connection says that the connection ends', async () => {
  const { server, port, reached, open } = await listening();
  const asking = await say(port, get('wait'));
  await reached;
  const stopped = await stop(server);
  open();
  expect(await asking.ended).toMatch(/^connection: close$/im);
  await stopped.whole;
});
