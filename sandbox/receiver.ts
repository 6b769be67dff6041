import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput, oneOfWords } from '#kernel/http/declare/schema.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { show } from './hosted-page.ts';
import { rawBody } from './raw-body.ts';
import type { Simulator, World } from './simulator.ts';

const PROVIDER = 'receiver';
const BOX = '^[a-z0-9-]{1,40}$';
const FLOOD_BYTES = 10 * 1024 * 1024;
const SHOWN_MAX = 100;
/** Where a redirect leads that a careless sender would follow. */
const METADATA = 'http://169.254.169.254/latest/meta-data';

const Settings = Type.Object({
  box: Type.String({ pattern: BOX }),
  /** `whsec_`, as it was shown at the endpoint's creation. */
  secret: Type.Optional(Type.String({ pattern: '^whsec_', maxLength: 200 })),
  answer: Type.Optional(oneOfWords(['take', 'fail', 'hang', 'redirect', 'slow', 'flood', 'reply'])),
  /** What `reply` answers, as JSON. */
  body: Type.Optional(Type.Unknown()),
  /** What `fail` answers. */
  status: Type.Optional(integerInput(300, 599)),
  /** How long `slow` takes. */
  ms: Type.Optional(integerInput(0, 60_000)),
});
type Settings = Static<typeof Settings>;

const Shown = Type.Object({
  box: Type.Optional(Type.String({ pattern: BOX })),
  limit: Type.Optional(integerInput(1, SHOWN_MAX)),
});

interface Arrival {
  readonly box: string;
  readonly at: string;
  readonly id: string;
  readonly type: string;
  readonly attempt: string;
  /** Whether the box's secret has signed it; null where the box knows none. */
  readonly verified: boolean | null;
  /** `webhook-id`, `webhook-timestamp` and `webhook-signature`, to verify it by oneself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SIGNED_BY = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Somebody's server for webhooks: `POST /receiver/{box}` takes what arrives and verifies it as receivers
 * do, `GET /receiver` shows it, and `POST /receiver-settings {box, secret, answer}` says how a box behaves.
 */
export const receiver = (): Simulator => ({
  provider: PROVIDER,
  prefix: '/receiver',
  wire(server, world) {
    server.post<{ Params: { box: string } }>(
      '/:box',
      { schema: { params: Type.Object({ box: Type.String({ pattern: BOX }) }) } },
      async (request, reply) => {
        const { box } = request.params;
        const settings = await world.records.get<Settings>(PROVIDER, 'settings', box);
        const arrival = await read(request, box, world, settings?.secret);
        await world.records.insert(PROVIDER, 'arrival', randomUUID(), arrival);
        return answer(reply, settings ?? { box });
      },
    );
  },
  controls(server, world) {
    settingsControl(server, world);
    arrivalsControl(server, world);
  },
});

async function read(
  request: FastifyRequest,
  box: string,
  { clock }: World,
  secret: string | undefined,
): Promise<Arrival> {
  const { headers } = request;
  const body = rawBody(request).toString('utf8');
  const { id = '', type = '' } = (request.body ?? {}) as { id?: unknown; type?: unknown };
  return {
    box,
    at: clock.now().toISOString(),
    id: String(id),
    type: String(type),
    attempt: String(headers['webhook-attempt'] ?? ''),
    verified: secret === undefined ? null : await isVerified(request, body, secret),
    headers: Object.fromEntries(SIGNED_BY.map((name) => [name, String(headers[name] ?? '')])),
    body,
  };
}

/** By the specification's own library, as any receiver does. */
async function isVerified(
  { headers }: FastifyRequest,
  body: string,
  secret: string,
): Promise<boolean> {
  const { Webhook } = await import('standardwebhooks');
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

function answer(
  reply: FastifyReply,
  { answer = 'take', status = 500, ms = 1000, body = {} }: Settings,
) {
  switch (answer) {
    case 'reply':
      return reply.type('application/json').send(JSON.stringify(body));
    case 'fail':
      return reply.code(status).send({ error: 'The receiver fails on command' });
    case 'redirect':
      return reply.redirect(METADATA, 302);
    case 'flood':
      return reply.type('text/plain').send(Buffer.alloc(FLOOD_BYTES, 'x'));
    case 'slow':
      return new Promise<FastifyReply>((resolve) => {
        setTimeout(() => resolve(reply.code(204).send()), ms).unref();
      });
    case 'hang':
      // Until the other side has had enough of it.
      return reply.hijack();
    default:
      return reply.code(204).send();
  }
}

function settingsControl(server: FastifyInstance, { records }: World): void {
  server.post<{ Body: Settings }>(
    '/receiver-settings',
    { schema: { body: Settings } },
    async ({ body }) => {
      const { box } = body;
      const changed = () =>
        records.update<Settings>(PROVIDER, 'settings', box, (before) => ({ ...before, ...body }));
      const settings = (await changed()) ?? body;
      if (settings === body && !(await records.insert(PROVIDER, 'settings', box, body)))
        await changed();
      return { box, answer: settings.answer ?? 'take', has_secret: settings.secret !== undefined };
    },
  );
}

function arrivalsControl(server: FastifyInstance, { records, sandboxUrl }: World): void {
  server.get<{ Querystring: Static<typeof Shown> }>(
    '/receiver',
    { schema: { querystring: Shown } },
    async ({ query, headers }, reply) => {
      const { box, limit = SHOWN_MAX } = query;
      const where = box === undefined ? {} : { box };
      const arrivals = await records.list<Arrival>(PROVIDER, 'arrival', { limit, where });
      if (!headers.accept?.includes('text/html')) return { arrivals };
      return show(reply, 200, {
        title: 'Webhooks that arrived',
        content: pageOf(arrivals, sandboxUrl()),
        wide: true,
      });
    },
  );
}

const VERIFIED = { true: 'verified', false: 'NOT signed by its secret', null: 'no secret known' };

function pageOf(arrivals: readonly Arrival[], sandboxUrl: string): string {
  const rows = arrivals.map(
    ({ box, at, type, attempt, verified, headers, body }) => `
<details><summary>${escapeHtml(`${box}: ${type}, try ${attempt}, ${VERIFIED[`${verified}`]}`)}
<span class="soft">${at.slice(0, 19).replace('T', ' ')} UTC</span></summary>
<pre>${escapeHtml(linesOf(headers))}

${escapeHtml(readable(body))}</pre></details>`,
  );
  return `
<h1>Webhooks that arrived</h1>
<p>A receiver to try webhooks with. Make an endpoint for <code>${escapeHtml(sandboxUrl)}/receiver/my-box</code> by
<code>POST /api/webhook-endpoints</code>, with any name for the box; what is delivered is shown here, newest first. Tell the
box its secret by <code>POST /receiver-settings</code>, and it verifies what comes.</p>
${rows.join('') || '<p>None so far.</p>'}
<p><a href="/receiver">Look again</a> · <a href="/">Sandbox</a></p>`;
}

const linesOf = (headers: Arrival['headers']): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** In lines where it is JSON; what was signed is the body as it came. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
