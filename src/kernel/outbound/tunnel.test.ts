import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectProxy } from '#test/connect-proxy.ts';
import { EXPIRED } from '#test/expired-certificate.ts';
import { createOutbound, type OutboundOptions } from './outbound.ts';

/** Public addresses, which the proxy finds on this machine. */
const PUBLIC = '93.184.216.34';
const PUBLIC_6 = '2606:2800:220:1:248:1893:25c8:1946';
const rules = { plainHttp: true, ports: 'any' as const, loopback: false, allowed: () => [] };

function client(options: Partial<OutboundOptions>) {
  const outbound = createOutbound({ ...rules, ...options });
  onTestFinished(() => outbound.close());
  return outbound;
}
const post = (url: string, options: Partial<OutboundOptions>) =>
  client(options).post({ name: 'test', url, headers: {}, body: 'hello' });

/** One of its own for each test. */
async function proxyTo(...[way]: Parameters<typeof connectProxy>) {
  const proxy = await connectProxy(way);
  onTestFinished(proxy.close);
  return proxy;
}

async function site(answer: RequestListener = (request, response) => response.end(request.url)) {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('by a proxy', () => {
  test('is called what was looked up and checked, by its address and not by its name', async () => {
    const heard: unknown[] = [];
    const port = await site((request, response) => {
      heard.push([request.headers.host, request.headers['proxy-authorization']]);
      response.end('ok');
    });
    const proxy = await proxyTo(() => ({ port }));
    const withUser = proxy.url.replace('//', '//us%20er:p%40ss@');
    const lookUp = async () => [PUBLIC];
    const answer = await post('http://shop.example.com/hook', { proxy: withUser, lookUp });
    expect(answer).toMatchObject({ kind: 'reply', status: 200 });
    expect(proxy.targets.map(({ authority }) => authority)).toEqual([`${PUBLIC}:80`]);
    const basic = `Basic ${Buffer.from('us er:p@ss').toString('base64')}`;
    expect(proxy.targets[0]?.headers['proxy-authorization']).toBe(basic);
    // What lets us through the proxy is nobody else's.
    expect(heard).toEqual([['shop.example.com', undefined]]);
  });

  test('TLS ends where the name is, not at the proxy: a wrong certificate is refused', async () => {
    let requests = 0;
    const server = createSecure(EXPIRED, (_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const proxy = await proxyTo(() => ({ port }));
    const options = { proxy: proxy.url, lookUp: async () => [PUBLIC_6] };
    const answer = await post('https://shop.example.com/hook', options);
    expect(answer).toMatchObject({ kind: 'lost', cause: expect.stringMatching(/^[A-Z_]+$/) });
    expect(proxy.targets.map(({ authority }) => authority)).toEqual([`[${PUBLIC_6}]:443`]);
    expect(requests).toBe(0);
  });

  test.each([
    ['a name that leads to our network', 'http://inside.example.com', ['10.0.0.1']],
    ['one that leads there, too', 'http://mixed.example.com', [PUBLIC, '169.254.169.254']],
    ['a name for the proxy’s own machine', 'http://proxy.example.com', ['127.0.0.1']],
    ['the same in IPv6', 'http://proxy.example.com', ['::1']],
    ['one mapped into IPv6', 'http://mapped.example.com', ['::ffff:10.0.0.1']],
    ['an address', 'http://10.0.0.1', []],
    ['an address in another spelling', 'http://0x0a.1', []],
    ['the metadata of a cloud', 'http://169.254.169.254/latest', []],
    ['this machine', 'http://localhost', []],
  ])('%s is never asked of it', async (_what, url, found) => {
    const port = await site();
    const proxy = await proxyTo(() => ({ port }));
    const answer = await post(url, { proxy: proxy.url, lookUp: async () => found });
    expect(answer).toEqual({ kind: 'blocked', why: 'private-address' });
    expect(proxy.targets).toEqual([]);
  });

  test('a name that leads elsewhere the second time is refused then', async () => {
    const port = await site((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end('ok');
    });
    const proxy = await proxyTo(() => ({ port }));
    const answers = [[PUBLIC], ['192.168.0.1']];
    const outbound = client({ proxy: proxy.url, lookUp: async () => answers.shift() ?? [] });
    const call = { name: 'test', url: 'http://shop.example.com/', headers: {}, body: '' };
    expect(await outbound.post(call)).toMatchObject({ kind: 'reply' });
    expect(await outbound.post(call)).toEqual({ kind: 'blocked', why: 'private-address' });
    expect(proxy.targets).toHaveLength(1);
  });

  test('a redirect is checked as the first address was', async () => {
    const port = await site((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    });
    const proxy = await proxyTo(() => ({ port }));
    const outbound = client({ proxy: proxy.url, lookUp: async () => [PUBLIC] });
    const answer = await outbound.get({ name: 'test', url: 'http://shop.example.com/' });
    expect(answer).toEqual({ kind: 'blocked', why: 'private-address' });
    expect(proxy.targets).toHaveLength(1);
  });

  test('the next address is tried where the proxy does not get to the first', async () => {
    const port = await site();
    const proxy = await proxyTo((to) => (to.startsWith('[') ? { port } : 502));
    const lookUp = async () => [PUBLIC, PUBLIC_6];
    const answer = await post('http://shop.example.com/x', { proxy: proxy.url, lookUp });
    expect(answer).toMatchObject({ kind: 'reply', status: 200 });
    expect(proxy.targets).toHaveLength(2);
  });

  test('this machine, where it may be called at all, is called without it', async () => {
    const port = await site();
    const proxy = await proxyTo(() => 403);
    const url = `http://127.0.0.1:${port}/here`;
    expect(await post(url, { proxy: proxy.url, loopback: true })).toMatchObject({ status: 200 });
    expect(proxy.targets).toEqual([]);
  });
});

describe('a proxy', () => {
  const options = { lookUp: async () => [PUBLIC] };
  const url = 'http://shop.example.com/';

  test('that refuses, or is not there, is told apart from whoever was called', async () => {
    const refusing = await proxyTo(() => 407);
    expect(await post(url, { ...options, proxy: refusing.url })).toEqual({
      kind: 'lost',
      cause: 'PROXY_REFUSED',
    });
    const gone = `http://127.0.0.1:${await freePort()}`;
    expect(await post(url, { ...options, proxy: gone })).toEqual({
      kind: 'lost',
      cause: 'PROXY_UNREACHABLE',
    });
  });

  test('that says nothing is given up in time', async () => {
    const silent = createTcp(() => undefined);
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void silent.close());
    const proxy = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await post(url, { ...options, proxy, connectMs: 100 })).toEqual({
      kind: 'lost',
      cause: 'PROXY_TIMEOUT',
    });
  });
});

async function freePort(): Promise<number> {
  const server = createTcp();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
