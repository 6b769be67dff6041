import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml, page } from '#kernel/http/pages.ts';
import { API_PREFIX } from '#kernel/http/prefix.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { usesSandbox } from '#src/config.ts';
import { DEMO } from './seed.ts';

/** What everybody opens first: where things are, and a first request that works. */
export function mountStart(
  server: FastifyInstance,
  kernel: Kernel,
  sandboxUrl: () => string,
): void {
  const places = () => placesOf(kernel, sandboxUrl);
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!String(request.headers.accept ?? '').includes('text/html'))
      return reply.send({ name: 'Archipay', ...places() });
    const { status, text } = page(200, 'Payments over one API', bodyOf(kernel, places()));
    reply.header('cache-control', 'no-store');
    return reply.code(status).type('text/html; charset=utf-8').send(text);
  };
  server.get('/', answer);
  server.get(API_PREFIX, answer);
}

function placesOf(kernel: Kernel, sandboxUrl: () => string): Places {
  const base = kernel.publicUrl();
  const { config } = kernel;
  return {
    api: `${base}${API_PREFIX}`,
    ...(config.DOCS === 'on' && { reference: `${base}/docs`, openapi: `${base}/openapi.json` }),
    errors: `${base}/docs/errors`,
    ...(config.OPS_PORT === undefined && { health: `${base}/health/ready` }),
    ...(usesSandbox(config) && { sandbox: sandboxUrl() }),
  };
}

type Places = Readonly<Record<string, string>>;

const NAMES: Readonly<Record<string, string>> = {
  api: 'API',
  reference: 'Reference',
  openapi: 'OpenAPI document',
  errors: 'Errors',
  health: 'Health',
  sandbox: 'Sandbox',
};

function bodyOf({ config }: Kernel, places: Places): string {
  const rows = Object.entries(places).map(([name, url]) => {
    const shown = escapeHtml(url);
    return `<dt>${NAMES[name] ?? name}</dt><dd><a href="${shown}">${shown}</a></dd>`;
  });
  const mode = config.MOCK_MODE ? 'mock mode: money settles at once, nothing is real' : 'live mode';
  return [
    `<p>This service runs in ${mode}.</p>`,
    `<dl>${rows.join('\n')}</dl>`,
    ...(usesSandbox(config) ? firstRequest(places['api'] ?? '') : []),
  ].join('\n');
}

/** Only where the demo's client is seeded: its key and log-ins are in the README. */
const firstRequest = (api: string): string[] => [
  '<h2>A first request</h2>',
  `<pre tabindex="0">curl -s ${escapeHtml(api)}/auth/login \\
  -H 'x-api-key: ${DEMO.apiKey}' \\
  -H 'content-type: application/json' \\
  -d '${escapeHtml(JSON.stringify({ usernameoremail: DEMO.user.email, password: DEMO.user.password }))}'</pre>`,
  '<p>The answer holds a token. Send it as <code>Authorization: Bearer …</code> beside the key.</p>',
];
