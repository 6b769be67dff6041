import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { OpenApi } from './openapi.ts';

/** `/openapi.json` and a readable reference at `/docs`, both from the declarations. */
export async function mountDocs(server: FastifyInstance, document: OpenApi): Promise<void> {
  // Once: it is long, and public.
  const text = JSON.stringify(document);
  server.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text),
  );
  await server.register(swagger, {
    mode: 'static',
    specification: { document: document as never },
  });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    uiConfig: {
      docExpansion: 'none',
      deepLinking: true,
      filter: true,
      tagsSorter: 'alpha',
    },
    theme: {
      title: 'Archipay API',
      css: [{ filename: 'archipay.css', content: '.swagger-ui .topbar { display: none; }' }],
    },
  });
}

/** Without the usual upgrade to HTTPS: the reference also has to open over plain HTTP. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
