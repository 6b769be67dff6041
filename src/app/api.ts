import type { FastifyInstance } from 'fastify';
import { catalogueOf } from '#kernel/events/catalogue.ts';
import { CONNECTIONS_MAX } from '#kernel/http/connections.ts';
import { mountDocs } from '#kernel/http/docs.ts';
import { errorPages } from '#kernel/http/error-pages.ts';
import { mount } from '#kernel/http/mount.ts';
import { mountPages } from '#kernel/http/pages.ts';
import { API_PREFIX } from '#kernel/http/prefix.ts';
import type { Route } from '#kernel/http/route.ts';
import { createServer, type ServerOptions } from '#kernel/http/server.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { describeApi } from '#kernel/openapi/document.ts';
import type { Features } from './features.ts';
import { mountHealth } from './health.ts';
import { aboutApi } from './reference/about.ts';
import { referenceSettings } from './reference/settings.ts';
import { mountStart } from './start-page.ts';

/** Everything that is answered by HTTP. */
export async function createApi(
  kernel: Kernel,
  features: Features,
  sandboxUrl: () => string,
): Promise<FastifyInstance> {
  const server = await createServer(serverOptions(kernel, features.routes));
  await server.register(async (api) => mount(api, features.routes, kernel), { prefix: API_PREFIX });
  mountPages(server, [...features.pages, ...errorPages()]);
  mountStart(server, kernel, sandboxUrl);
  mountHealth(server, kernel);
  const describe = () => {
    const places = { publicUrl: kernel.publicUrl(), sandboxUrl: sandboxUrl() };
    const about = aboutApi(kernel.config, places);
    return describeApi(features.routes, about, catalogueOf(features.events));
  };
  mountDocs(server, { describe, settings: () => referenceSettings(kernel.config) });
  return server;
}

/** A worker has nothing to answer but how it is. */
export async function serveHealth(kernel: Kernel): Promise<FastifyInstance> {
  const { HOST: host, WORKER_PORT: port = 0 } = kernel.config;
  const server = await createServer(serverOptions(kernel, []));
  mountHealth(server, kernel);
  await server.listen({ host, port });
  return server;
}

const serverOptions = (
  { log, clock, metrics, limits, config, publicUrl }: Kernel,
  routes: readonly Route[],
): ServerOptions => ({
  log,
  clock,
  metrics,
  limits,
  publicUrl,
  corsOrigins: config.CORS_ORIGINS,
  trustProxy: config.TRUST_PROXY,
  connectionsMax: config.RATE_LIMITS === 'on' ? CONNECTIONS_MAX : undefined,
  routes,
});
