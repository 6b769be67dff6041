import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { fail } from '#kernel/error.ts';
import { type EnvelopeFacts, errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { retryLines } from '#kernel/http/declare/retrying.ts';

/** What Node's parser refuses, by its code; anything else is no HTTP. */
const BY_CODE: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** Answers what never became a request: there is no route then, so in the plainest envelope. */
export const refuseMalformed =
  ({ publicUrl }: Pick<EnvelopeFacts, 'publicUrl'>) =>
  (problem: { readonly code?: string }, socket: Socket): void => {
    if (problem.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, error] = BY_CODE[problem.code ?? ''] ?? [
      '400 Bad Request',
      'Request is not HTTP',
    ];
    const request_id = randomUUID();
    // That envelope tells no time.
    const facts = { at: '', requestId: request_id, publicUrl };
    const refusal = fail('VALIDATION_ERROR', error);
    const body = JSON.stringify(errorEnvelope.error(refusal, facts));
    // Its method is not known.
    const said = retryLines(refusal, { isChanging: true, progress: undefined });
    const head = [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${request_id}`,
      said.trimEnd(),
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
