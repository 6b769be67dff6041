import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { PAGE_COLOURS, PAGE_ICON } from '#kernel/http/pages/page-style.ts';
import type { Simulator, World } from './simulator.ts';

export interface SandboxIndex {
  readonly id: string;
  readonly simulators: readonly Simulator[];
  /** `POST /faults`; complete once every simulator has added its own. */
  readonly controls: readonly string[];
}

const PAGE = fileURLToPath(new URL('./page.html', import.meta.url));

/** `GET /`: the controls for people in a browser, and what there is as JSON for everything else. */
export function servePage(server: FastifyInstance, world: World, index: SandboxIndex): void {
  const html = readFileSync(PAGE, 'utf8')
    .replace('<!-- icon -->', PAGE_ICON)
    .replace('/* colours */', PAGE_COLOURS);
  const policy = policyOf(html);
  const listing = () => ({
    id: index.id,
    providers: index.simulators.map(({ provider, prefix, url }) => ({
      provider,
      url: url?.() ?? `${world.sandboxUrl()}${prefix}`,
    })),
    controls: index.controls.filter((control) => control !== 'GET /'),
    service_url: world.serviceUrl(),
  });

  server.get('/', async ({ headers }, reply) => {
    reply.header('vary', 'accept');
    if (!headers.accept?.includes('text/html')) return listing();
    reply.header('content-security-policy', policy).header('x-content-type-options', 'nosniff');
    return reply.type('text/html; charset=utf-8').send(html);
  });
  server.get('/index.json', async () => listing());
}

/** Messages are shown on the page, so nothing but its own script may run and nothing be loaded. */
function policyOf(html: string): string {
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
