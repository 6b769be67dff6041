import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { EXPIRED } from '#test/expired-certificate.ts';
import { nameServer } from '#test/name-server.ts';
import { guardedConnector, lookUpBy } from './connect.ts';
import { createOutbound, type OutboundOptions } from './outbound.ts';

const rules = { plainHttp: true, ports: 'any' as const, loopback: true, allowed: () => [] };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function client(options: Partial<OutboundOptions> = {}) {
  const outbound = createOutbound({ ...rules, ...options });
  closing.push(() => outbound.close());
  return outbound;
}

async function listening(server: Server | ReturnType<typeof createTcp>): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function site(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  const port = await listening(server);
  closing.unshift(() => server.closeAllConnections());
  return `http://127.0.0.1:${port}`;
}

/** A server that writes what it likes to whoever connects. */
async function rawSite(answer: (socket: Socket) => void): Promise<string> {
  const server = createTcp((socket) => {
    closing.unshift(() => socket.destroy());
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

const get = (url: string, options?: Partial<OutboundOptions>, limits = {}) =>
  client(options).get({ name: 'test', url, limits });
const textOf = (answer: Awaited<ReturnType<typeof get>>) =>
  answer.kind === 'reply' ? answer.bytes.toString() : answer;

describe('a name whose addresses change', () => {
  test('is looked up once for each connection, and what was checked is what is called', async () => {
    const url = await site((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end('ok');
    });
    const names = await nameServer((_name, times) => (times === 0 ? ['127.0.0.1'] : ['10.0.0.1']));
    closing.push(names.close);
    const outbound = client({ lookUp: lookUpBy(names.resolver) });
    const call = { name: 'test', url: url.replace('127.0.0.1', 'shop.example.com') };
    expect(await outbound.get(call)).toMatchObject({ kind: 'reply', status: 200 });
    expect(names.queries).toEqual(['shop.example.com']);
    expect(await outbound.get(call)).toEqual({ kind: 'blocked', why: 'private-address' });
    expect(names.queries).toHaveLength(2);
  });

  test('is refused at the redirect that leads to the new ones', async () => {
    const url = await site((request, response) => {
      response.writeHead(302, { location: request.url ?? '/', connection: 'close' }).end();
    });
    const names = await nameServer((_name, times) => (times < 2 ? ['127.0.0.1'] : ['10.0.0.1']));
    closing.push(names.close);
    const address = url.replace('127.0.0.1', 'shop.example.com');
    const answer = await get(address, { lookUp: lookUpBy(names.resolver) });
    expect(answer).toEqual({ kind: 'blocked', why: 'private-address' });
    expect(names.queries).toHaveLength(3);
  });
});

test('a name server that keeps silent takes no longer than a connection may', async () => {
  const names = await nameServer(() => undefined);
  closing.push(names.close);
  const options = { lookUp: lookUpBy(names.resolver), connectMs: 100 };
  const answer = await get('http://shop.example.com', options);
  expect(answer).toEqual({ kind: 'lost', cause: 'UND_ERR_CONNECT_TIMEOUT' });
});

test('a connection that has got somewhere private all the same is closed unused', async () => {
  const said: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  const server = createTcp((socket) => {
    socket.on('data', (data) => said.push(data));
    socket.on('close', () => ended.resolve());
  });
  const port = await listening(server);
  const strict = { ...rules, loopback: false };
  const connector = guardedConnector(strict, { connectMs: 5000, lookUp: lookUpBy() });
  // As if a literal had come past the first check: nobody looks it up.
  const target = { hostname: '127.0.0.1', host: `127.0.0.1:${port}`, protocol: 'http:' };
  const error = await new Promise((settle) => {
    connector({ ...target, port: String(port) }, (...[failed]) => settle(failed));
  });
  expect(error).toMatchObject({ why: 'private-address' });
  await ended.promise;
  expect(said).toEqual([]);
});

test('what is allowed by its exact beginning is called, and nothing beside it', async () => {
  const url = await site((request, response) => response.end(request.url));
  const options = { loopback: false, allowed: () => [`${url}/shop/`] };
  expect(textOf(await get(`${url}/shop/1`, options))).toBe('/shop/1');
  const blocked = { kind: 'blocked', why: 'private-address' };
  const port = url.split(':').at(-1);
  for (const other of [
    `${url}/messages`,
    `${url}/shop`,
    `${url}/shop/../messages`,
    `${url}/shop/%2e%2e/messages`,
    `http://127.0.0.1:1/shop/`,
    `http://localhost:${port}/shop/`,
    `https://127.0.0.1:${port}/shop/`,
  ])
    expect(await get(other, options), other).toEqual(blocked);
});

describe('a redirect', () => {
  test('is followed for a page, up to five of them', async () => {
    const url = await site((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end('here');
    });
    expect(await get(`${url}/5`)).toMatchObject({ kind: 'reply', status: 200, url: `${url}/0` });
    expect(await get(`${url}/6`)).toEqual({ kind: 'lost', cause: 'TOO_MANY_REDIRECTS' });
  });

  test.each([
    ['to a private address', 'http://169.254.169.254/', 'private-address'],
    ['to another scheme', 'file:///etc/passwd', 'scheme'],
    ['with a password', '//me:secret@127.0.0.1/', 'user-info'],
    ['to what is no address', 'http://[', 'not-a-url'],
  ])('%s is refused', async (_what, location, why) => {
    const url = await site((_request, response) => response.writeHead(302, { location }).end());
    expect(await get(url)).toEqual({ kind: 'blocked', why });
  });

  test('is an answer where something was sent, and nothing is sent on', async () => {
    const seen: string[] = [];
    const url = await site((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(307, { location: '/there' }).end();
    });
    const answer = await client().post({ name: 'test', url, headers: {}, body: '{}' });
    expect(answer).toMatchObject({ kind: 'reply', status: 307 });
    expect(seen).toEqual(['/']);
  });

  test('takes no cookie along', async () => {
    const cookies: unknown[] = [];
    const url = await site((request, response) => {
      cookies.push(request.headers.cookie);
      const moved = { location: '/next', 'set-cookie': 'a=b' };
      response.writeHead(request.url === '/' ? 302 : 200, moved).end();
    });
    await get(url);
    expect(cookies).toEqual([undefined, undefined]);
  });
});

describe('an answer', () => {
  const limits = { wireMax: 10_000, plainMax: 20_000 };

  test('of ten megabytes is cut and hung up on', async () => {
    const hungUp = Promise.withResolvers<void>();
    const url = await site((_request, response) => {
      response.on('close', () => hungUp.resolve());
      response.write(Buffer.alloc(10 * 1024 * 1024));
    });
    const answer = await get(url, {}, limits);
    expect(answer).toMatchObject({ kind: 'reply', status: 200, cut: true });
    expect(answer.kind === 'reply' && answer.bytes.length).toBe(10_000);
    await hungUp.promise;
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('that grows a thousandfold out of %s is cut', async (encoding, pack) => {
    const packed = pack(Buffer.alloc(8 * 1024 * 1024));
    expect(packed.length).toBeLessThan(limits.wireMax);
    const url = await site((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(packed);
    });
    const answer = await get(url, {}, limits);
    expect(answer).toMatchObject({ kind: 'reply', cut: true });
    expect(answer.kind === 'reply' && answer.bytes.length).toBe(20_000);
  });

  test('that is packed is unpacked', async () => {
    const url = await site((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip, br');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a page'));
    });
    expect(await get(url)).toMatchObject({ kind: 'reply', cut: false, status: 200 });
    expect(textOf(await get(url))).toBe('a page');
  });

  test('that is packed badly, or as nobody knows, counts as none', async () => {
    const url = await site((request, response) => {
      const encoding = request.url === '/bad' ? 'gzip' : 'compress';
      response.writeHead(200, { 'content-encoding': encoding }).end('not packed');
    });
    expect(await get(`${url}/bad`)).toEqual({ kind: 'lost', cause: 'Z_DATA_ERROR' });
    expect(await get(url)).toEqual({ kind: 'lost', cause: 'UNKNOWN_ENCODING' });
  });

  test('with headers without end is none', async () => {
    const url = await rawSite((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(100)}`);
    });
    expect(await get(url)).toEqual({ kind: 'lost', cause: 'UND_ERR_HEADERS_OVERFLOW' });
  });

  test.each([
    ['never comes', () => {}],
    ['comes in drips', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'x')],
    ['has dripping headers', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'a: b\r\n')],
    [
      'is announced for ever',
      (socket: Socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    ],
  ])('that %s is given up when its time is over', async (_what, answer) => {
    const url = await rawSite(answer);
    expect(await get(url, {}, { totalMs: 100 })).toEqual({ kind: 'lost', cause: 'TIMEOUT' });
  });

  test('has one time for all redirects together', async () => {
    const url = await site((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 60);
    });
    expect(await get(url, {}, { totalMs: 150 })).toEqual({ kind: 'lost', cause: 'TIMEOUT' });
  });

  test('that breaks off, or that nobody gives, is lost', async () => {
    const broken = await rawSite((socket) => socket.destroy());
    expect(await get(broken)).toEqual({ kind: 'lost', cause: 'UND_ERR_SOCKET' });
    const gone = createTcp();
    await new Promise<void>((ready) => gone.listen(0, '127.0.0.1', ready));
    const { port } = gone.address() as AddressInfo;
    await new Promise((closed) => gone.close(closed));
    expect(await get(`http://127.0.0.1:${port}`)).toEqual({ kind: 'lost', cause: 'ECONNREFUSED' });
  });
});

test('a certificate that has expired is trusted no more, whoever has signed it', async () => {
  const seen: string[] = [];
  const server = createSecure(EXPIRED, (request, response) => {
    seen.push(request.url ?? '');
    response.end();
  });
  const port = await listening(server);
  const url = `https://localhost:${port}`;
  expect(await get(url, { ca: EXPIRED.cert })).toEqual({ kind: 'lost', cause: 'CERT_HAS_EXPIRED' });
  expect(seen).toEqual([]);
});

test('no proxy of the environment sees the call', async () => {
  const through: string[] = [];
  const proxy = await site((request, response) => {
    through.push(request.url ?? '');
    response.end();
  });
  const url = await site((_request, response) => response.end('direct'));
  const before = process.env['HTTP_PROXY'];
  process.env['HTTP_PROXY'] = proxy;
  closing.push(() => {
    if (before === undefined) delete process.env['HTTP_PROXY'];
    else process.env['HTTP_PROXY'] = before;
  });
  expect(textOf(await get(url))).toBe('direct');
  expect(through).toEqual([]);
});

/** For as long as anybody listens. */
function drip(socket: Socket, first: string, drop: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(drop), 10);
  socket.on('close', () => clearInterval(timer));
}
