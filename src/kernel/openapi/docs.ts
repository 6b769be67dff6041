import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { collectionOf } from './collection.ts';
import { type DemoLogIns, DOCS_PAGE, DOCS_POLICY, startScript } from './docs-page.ts';
import type { OpenApi } from './document.ts';
import { mountGuides } from './guides.ts';
import { llmsText, operationPages } from './markdown.ts';
import { readRenderer } from './renderer.ts';

export interface Docs {
  /** The document; made at the first read, since only then the service has an address. */
  describe(): OpenApi;
  /** Where readers reach the service. */
  publicUrl(): string;
  /** The renderer's settings beside it, as JSON. */
  settings(): object;
  /** The demo's key and people, where there is a demo. */
  readonly demo: DemoLogIns | undefined;
}

/**
 * `/openapi.json`, the same as a collection at `/postman.json`, a reference at `/docs`, and as text `/llms.txt` and
 * `/docs/api/{operationId}.md`: all from the declarations. And the guides at `/docs/guides`.
 */
export function mountDocs(
  server: FastifyInstance,
  { describe, publicUrl, settings, demo }: Docs,
): void {
  const document = once(async () => JSON.stringify(describe()));
  const collection = once(async () => JSON.stringify(collectionOf(describe(), demo?.apiKey)));
  const renderer = once(readRenderer);
  const start = once(async () => startScript(`${API_PREFIX}/auth/login`, settings(), demo));
  const serve = (path: string, type: string, file: () => Promise<File>) =>
    server.get(path, async (request, reply) => send(request, reply.type(type), await file()));
  serve('/openapi.json', 'application/json; charset=utf-8', document);
  serve('/postman.json', 'application/json; charset=utf-8', collection);
  serve(
    '/llms.txt',
    PLAIN_TEXT,
    once(async () => llmsText(describe(), publicUrl())),
  );
  mountOperationPages(server, describe);
  mountGuides(server, publicUrl);
  serve('/docs/renderer.js', SCRIPT, renderer);
  serve('/docs/start.js', SCRIPT, start);
  server.get('/docs/', async (_request, reply) => reply.redirect('/docs', 301));
  server.get('/docs', { config: { isPage: true } }, async (_request, reply) =>
    reply
      .header('content-security-policy', DOCS_POLICY)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(DOCS_PAGE),
  );
}

const PLAIN_TEXT = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

function mountOperationPages(server: FastifyInstance, describe: () => OpenApi): void {
  let pages: ReturnType<typeof operationPages> | undefined;
  server.get<{ Params: { page: string } }>('/docs/api/:page', async ({ params }, reply) => {
    pages ??= operationPages(describe());
    const text = params.page.endsWith('.md') ? pages.get(params.page.slice(0, -3)) : undefined;
    if (text === undefined) return reply.callNotFound();
    return reply.header('cache-control', 'no-cache').type(MARKDOWN).send(text);
  });
}

const SCRIPT = 'text/javascript; charset=utf-8';

/** What is long and the same for everybody: packed once, and known again by its mark. */
interface File {
  readonly plain: string;
  readonly packed: Buffer;
  readonly etag: string;
}

const pack = promisify(gzip);

/** The first reader makes it; later ones wait for the same. A failure is not kept. */
function once(make: () => Promise<string>): () => Promise<File> {
  let file: Promise<File> | undefined;
  return () => {
    file ??= make()
      .then(async (plain) => ({
        plain,
        packed: await pack(plain, { level: constants.Z_BEST_COMPRESSION }),
        etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      }))
      .catch((error: unknown) => {
        file = undefined;
        throw error;
      });
    return file;
  };
}

function send({ headers }: FastifyRequest, reply: FastifyReply, file: File) {
  reply.headers({ etag: file.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (headers['if-none-match'] === file.etag) return reply.code(304).send();
  if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) return reply.send(file.plain);
  return reply.header('content-encoding', 'gzip').send(file.packed);
}
