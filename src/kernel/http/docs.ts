import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { OpenApi } from './openapi.ts';

/** `/openapi.json` and a readable reference at `/docs`, both from the declarations. */
export async function mountDocs(server: FastifyInstance, document: OpenApi): Promise<void> {
  server.get('/openapi.json', async () => document);
  await server.register(swagger, {
    mode: 'static',
    specification: { document: document as never },
  });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'none', deepLinking: true, filter: true },
    theme: { title: 'Archipay API' },
  });
}
