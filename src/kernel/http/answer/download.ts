import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Download } from '#kernel/http/declare/file-bytes.ts';
import { SHOWN_HEADERS } from '#kernel/http/declare/security-headers.ts';
import { carryAlways } from './ready-answer.ts';

/**
 * Sends a file part by part as it is taken. A browser saves it and shows it nowhere. What fails on the way ends the
 * connection, so that a part is not taken for the whole.
 */
export function sendDownload(reply: FastifyReply, { file, parts }: Download): void {
  carryAlways(reply, 'guard', SHOWN_HEADERS);
  reply.header('content-disposition', dispositionOf(file.name));
  if (file.size !== undefined) reply.header('content-length', file.size);
  if (file.headers) reply.headers(file.headers);
  reply.type(file.type).send(Readable.from(parts, { objectMode: false }));
}

/** RFC 6266: a plain name for all, and the whole one for those who know UTF-8. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\w.-]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
