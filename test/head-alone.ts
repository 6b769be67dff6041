import { connect } from 'node:net';
import type { Harness } from './harness.ts';

/**
 * Sends the head of a POST and none of the body that it announces, and answers all that comes back until
 * the service hangs up.
 */
export function headAlone(
  { app }: Harness,
  path: string,
  headers: readonly string[],
): Promise<string> {
  const { hostname, port, pathname } = new URL(app.apiUrl());
  const lines = [`POST ${pathname}${path} HTTP/1.1`, 'host: x', ...headers];
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let answer = '';
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('end', () => {
      resolve(answer);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}
