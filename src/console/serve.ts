import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '#kernel/error.ts';
import { page } from '#kernel/http/pages/pages.ts';
import type { Logger } from '#kernel/log.ts';
import { type ConsoleFile, type ConsoleFiles, INDEX } from './files.ts';

interface ConsoleToServe {
  readonly files: () => Promise<ConsoleFiles>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Nothing but its own files and this service; what writes HTML by text is refused by the browser. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** What is asked for by name; any other address is one of the console's own, which its page reads. */
const NAMED = /\.(?:js|css|map|json|svg|png|ico|woff2|webmanifest)$/;
const LASTING = 'public, max-age=31536000, immutable';

/** The console's files at `/console`, from wherever they are, when they are first asked for. */
export function mountConsole(server: FastifyInstance, { files, log }: ConsoleToServe): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await files().catch((err: unknown) => {
      log.warn({ err }, 'the console has no files to show');
      return undefined;
    });
    if (!found) return sendMissing(reply);
    const path = (request.params as { '*'?: string })['*'] ?? '';
    const file = found.get(path) ?? (NAMED.test(path) ? undefined : found.get(INDEX));
    if (!file) throw fail('NOT_FOUND', 'Not found');
    return send(request, reply, file);
  };
  server.get('/console', { config: { isPage: true } }, answer);
  server.get('/console/*', { config: { isPage: true } }, answer);
}

function send({ headers }: FastifyRequest, reply: FastifyReply, file: ConsoleFile) {
  reply.headers({
    'content-security-policy': POLICY,
    'cache-control': file.isLasting ? LASTING : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  });
  if (headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.type(file.type);
  const takesPacked = /\bbr\b/.test(String(headers['accept-encoding'] ?? ''));
  if (!takesPacked || !file.packed) return reply.send(file.plain);
  return reply.header('content-encoding', 'br').send(file.packed);
}

function sendMissing(reply: FastifyReply) {
  const { status, text } = page(503, 'The console cannot be shown', MISSING);
  reply.header('cache-control', 'no-store').header('retry-after', 60);
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}

const MISSING = `<p>Its files are not here and could not be made; the log of the service says why.</p>
<p class="soft">They are made when they are first asked for, where the development dependencies are installed
(<code>npm ci</code>). Elsewhere <code>npm run console</code> makes them ahead, and <code>CONSOLE_DIR</code> says
where they are. The API needs none of this.</p>`;
