import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { usesSandbox } from '#kernel/config/config.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { breakable, escapeHtml, page } from '#kernel/http/pages/pages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { DEMO } from '#src/app/seed.ts';

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
    const { status, text } = page(
      200,
      'Payments over one API',
      startPageOf(kernel.config, places()),
      {
        wide: true,
      },
    );
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
    ...(config.CONSOLE === 'on' && { console: `${base}/console` }),
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
  console: 'Console',
  health: 'Health',
  sandbox: 'Sandbox',
};

/** What is below the heading. */
export function startPageOf(config: Kernel['config'], places: Places): string {
  const rows = Object.entries(places).map(([name, url]) => {
    const link = `<a href="${escapeHtml(url)}">${breakable(url)}</a>`;
    return `<dt>${NAMES[name] ?? name}</dt><dd>${link}</dd>`;
  });
  return [
    `<p>${modeOf(config)}</p>`,
    `<dl>${rows.join('\n')}</dl>`,
    ...(usesSandbox(config) ? [DEMO_LOG_INS, ...firstRequest(places['api'] ?? '')] : []),
  ].join('\n');
}

function modeOf(config: Kernel['config']): string {
  if (!usesSandbox(config)) return 'This service runs in live mode.';
  return config.MOCK_MODE
    ? 'This service runs in mock mode: money settles at once, and nothing is real.'
    : 'This service runs with simulated providers, as live: payments wait for them, and nothing is real.';
}

const LOG_INS = [
  ['Operator of the platform', DEMO.operator],
  ['Admin of the demo client', DEMO.admin],
  ['User of the demo client', DEMO.user],
] as const;

const DEMO_LOG_INS = `<h2>Demo log-ins</h2>
<dl>${LOG_INS.map(
  ([who, { email, password }]) =>
    `<dt>${who}</dt><dd><code>${email}</code> <code>${password}</code></dd>`,
).join('\n')}
<dt>API key</dt><dd><code>${DEMO.apiKey}</code></dd></dl>
<p class="soft">The reference logs in as one of them by a click; <a href="/login">this page</a> gets you a
token.</p>`;

/** Only where the demo's client is seeded. */
const firstRequest = (api: string): string[] => [
  '<h2>A first request</h2>',
  `<pre tabindex="0">curl -s ${escapeHtml(api)}/auth/login \\
  -H 'x-api-key: ${DEMO.apiKey}' \\
  -H 'content-type: application/json' \\
  -d '${escapeHtml(JSON.stringify({ usernameoremail: DEMO.user.email, password: DEMO.user.password }))}'</pre>`,
  '<p>The answer holds a token. Send it as <code>Authorization: Bearer …</code> beside the key.',
  'Next come a wallet, a test card and a statement: the guide “The main job” of the reference.</p>',
];
