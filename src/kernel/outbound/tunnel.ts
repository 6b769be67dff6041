import { type ClientRequest, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';

/** The end of a tunnel: a checked address, never a name, which a proxy would look up again. */
export interface TunnelEnd {
  readonly address: string;
  readonly port: number;
}

const OK = 200;

/**
 * A connection by an HTTP proxy's CONNECT. Rejects with a `code` of its own, since whose fault it is says
 * nothing of who was called: PROXY_UNREACHABLE, PROXY_TIMEOUT, or PROXY_REFUSED where it does not allow that address.
 */
export function tunnel(
  proxy: URL,
  { address, port }: TunnelEnd,
  withinMs: number,
): Promise<Socket> {
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  const ask = proxy.protocol === 'https:' ? tlsRequest : plainRequest;
  const request = ask({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: authority,
    headers: { host: authority, ...credentialsOf(proxy) },
    agent: false,
  });
  return opened(request, withinMs);
}

function opened(request: ClientRequest, withinMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => request.destroy(proxyError('PROXY_TIMEOUT')), withinMs);
    const ended = () => clearTimeout(late);
    request.once('connect', ({ statusCode }, socket: Socket) => {
      ended();
      if (statusCode === OK) return resolve(socket);
      socket.destroy();
      reject(proxyError('PROXY_REFUSED'));
    });
    request.once('error', (error: Error & { code?: string }) => {
      ended();
      reject(error.code === 'PROXY_TIMEOUT' ? error : proxyError('PROXY_UNREACHABLE', error));
    });
    request.end();
  });
}

const proxyError = (code: string, cause?: unknown): Error =>
  Object.assign(new Error(code, { cause }), { code });

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
}
