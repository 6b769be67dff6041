import type { FastifyInstance } from 'fastify';
import { walletsOfAccounts } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { catalogueOf } from '#kernel/events/catalogue.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { scope } from '#kernel/http/declare/scope.ts';
import { errorPages } from '#kernel/http/pages/error-pages.ts';
import { mountPages } from '#kernel/http/pages/pages.ts';
import { connectionsMax } from '#kernel/http/serve/connections.ts';
import { mount } from '#kernel/http/serve/mount.ts';
import { createServer, type ServerOptions } from '#kernel/http/serve/server.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { mountDocs } from '#kernel/openapi/docs.ts';
import { describeApi } from '#kernel/openapi/document.ts';
import { consoleFiles } from '#src/console/files.ts';
import { consoleFolder } from '#src/console/folder.ts';
import { mountConsole } from '#src/console/serve.ts';
import type { Features } from './features/features.ts';
import { mountBareHealth, mountHealth, mountLiveness } from './operate/health.ts';
import { loginPage } from './pages/login-page.ts';
import { mountStart } from './pages/start-page.ts';
import { aboutApi } from './reference/about.ts';
import { demoLogIns, referenceSettings } from './reference/settings.ts';

/** Everything that is answered by HTTP. */
export async function createApi(
  kernel: Kernel,
  features: Features,
  sandboxUrl: () => string,
): Promise<FastifyInstance> {
  const server = await createServer({
    ...serverOptions(kernel, features.routes),
    observers: features.observers,
  });
  await scope(
    server,
    'api',
    (api) => mount(api, features.routes, { ...kernel, walletsOf: walletsOfAccounts }),
    API_PREFIX,
  );
  mountPages(server, [...features.pages, ...errorPages(kernel.config), loginPage(kernel)]);
  mountStart(server, kernel, sandboxUrl);
  mountProbes(server, kernel);
  const describe = () => {
    const places = { publicUrl: kernel.publicUrl(), sandboxUrl: sandboxUrl() };
    const about = aboutApi(kernel.config, places, features.words);
    return describeApi(features.routes, about, catalogueOf(features.events));
  };
  if (kernel.config.DOCS === 'on')
    mountDocs(server, {
      describe,
      publicUrl: kernel.publicUrl,
      settings: () => referenceSettings(kernel.config),
      demo: demoLogIns(kernel.config),
    });
  if (kernel.config.CONSOLE === 'on') {
    const folder = consoleFolder(kernel.config);
    mountConsole(server, { files: consoleFiles(folder.find), log: kernel.log });
    server.addHook('onClose', async () => folder.close());
  }
  return server;
}

/** What PORT says of how the process is: anybody may reach it. */
function mountProbes(server: FastifyInstance, kernel: Kernel): void {
  const { OPS_PORT, OPS_PUBLIC } = kernel.config;
  if (OPS_PORT !== undefined) mountLiveness(server);
  else if (OPS_PUBLIC === 'on') mountHealth(server, kernel);
  else mountBareHealth(server, kernel);
}

/** What has nothing to answer but how its process is: a worker's server, and that of OPS_PORT. */
export async function healthServer(kernel: Kernel): Promise<FastifyInstance> {
  const server = await createServer(serverOptions(kernel, []));
  mountHealth(server, kernel);
  return server;
}

const serverOptions = (
  { log, clock, metrics, limits, config, publicUrl, files }: Kernel,
  routes: readonly Route[],
): ServerOptions => ({
  log,
  clock,
  metrics,
  limits,
  publicUrl,
  logAddresses: config.LOG_ADDRESSES === 'on',
  corsOrigins: config.CORS_ORIGINS,
  trustProxy: config.TRUST_PROXY,
  connectionsMax: config.RATE_LIMITS === 'on' ? connectionsMax(files) : undefined,
  routes,
});
