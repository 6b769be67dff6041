import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { afterAll, expect, test } from 'vitest';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { Html } from '#kernel/http/declare/html.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { mount } from '#kernel/http/serve/mount.ts';
import { createServer } from '#kernel/http/serve/server.ts';
import { harness } from '#test/harness.ts';
import { createLimits } from './limits.ts';

const h = await harness();

const THING = '/api/things/{name}';
const routes = [
  endpoints(codedEnvelope)('GET /things/{name}', {
    name: 'things.do',
    auth: 'public',
    summary: 'A thing, or a page about it',
    params: Type.Object({ name: Type.String() }),
    reply: { 200: Type.Object({ name: Type.String() }) },
    handler: async ({ params: { name } }) =>
      name === 'page' ? new Html(200, '<p>here</p>') : { name },
  }),
];
const limits = createLimits({ on: true });
const options = { ...h.kernel, limits, corsOrigins: '', trustProxy: undefined, routes };
const server = await createServer(options);
await server.register(async (api) => mount(api, routes, options), { prefix: '/api' });
server.get('/beside', async () => 'here');
await server.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => server.close());
const { port } = server.server.address() as AddressInfo;

/** The head as it came, line by line. */
async function headOf(request: string): Promise<string[]> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  socket.write(`${request} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n`);
  const [head = ''] = (await text(socket)).split('\r\n\r\n');
  return head.toLowerCase().split('\r\n');
}

const GUARDS = [
  'content-security-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-request-id',
];
const BUDGET = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

test.each<[string, number, string[]]>([
  ['GET /api/things/one', 200, [...GUARDS, ...BUDGET, 'cache-control']],
  ['HEAD /api/things/one', 200, [...GUARDS, ...BUDGET, 'cache-control']],
  ['GET /api/things/page', 200, [...GUARDS, ...BUDGET, 'cache-control', 'x-frame-options']],
  ['GET /api/things/%00', 400, [...GUARDS, ...BUDGET, 'cache-control']],
  ['GET /api/things/%zz', 400, [...GUARDS, 'cache-control']],
  ['GET /api/nowhere', 404, [...GUARDS, ...BUDGET, 'cache-control']],
  ['DELETE /api/things/one', 405, [...GUARDS, ...BUDGET, 'cache-control', 'allow']],
  ['GET /beside', 200, [...GUARDS, ...BUDGET, 'x-frame-options']],
  ['GET /nowhere', 404, [...GUARDS, ...BUDGET, 'x-frame-options']],
])('%s is answered with each of our headers, and each once', async (request, status, names) => {
  const [first, ...lines] = await headOf(request);
  expect(first).toMatch(new RegExp(`^http/1.1 ${status} `));
  const sent = lines.map((line) => line.split(': ')[0] ?? '');
  expect(sent).toEqual(expect.arrayContaining(names));
  expect(new Set(sent).size, lines.join('\n')).toBe(sent.length);
  for (const line of lines) expect(line).toMatch(/^[\w-]+: \S/);
});

test('an answer that leaves another way carries them as well', async () => {
  const { headers } = await server.inject({ url: THING.replace('{name}', 'one') });
  expect(Object.keys(headers)).toEqual(
    expect.arrayContaining([...GUARDS, ...BUDGET, 'cache-control']),
  );
});

// Browsers and routers tell a query from an address by more than a question mark.
test('what cannot be stored is refused in a path and in a query', async () => {
  for (const address of ['?__proto__=1', '#__proto__=1', '?a=%00', '%00'])
    expect((await headOf(`GET /api/things/one${address}`))[0], address).toContain(' 400 ');
  expect((await headOf('GET /api/things/one'))[0]).toContain(' 200 ');
});
