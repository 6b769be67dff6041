import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { publishedDocument } from '#sandbox/published.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import {
  BAD_KEYS,
  badField,
  plaidError,
  problem,
  SIMULATED_PLAID_PROVIDER,
} from './simulated-answers.ts';
import { accountEndpoints, itemEndpoints, linkEndpoints } from './simulated-item-routes.ts';
import { finishLink } from './simulated-items.ts';
import { linkPage } from './simulated-page.ts';
import {
  readingEndpoints,
  simulatingEndpoints,
  transferEndpoints,
} from './simulated-transfer-routes.ts';
import { nachaFailure, PLAID_STEPS, stepTransfer, transferNamed } from './simulated-transfers.ts';
import { callBackOfEvents } from './simulated-webhook.ts';

const PREFIX = '/plaid';
/** Plaid's published document, by which requests and answers are validated. */
const DOCUMENT = publishedDocument(import.meta.url);
const operationOf = (url: string): string => url.slice(PREFIX.length).split('?')[0] ?? '';

export type PlaidCredentials = Pick<Config, 'PLAID_CLIENT_ID' | 'PLAID_SECRET'>;

/** Plays Plaid: linked bank log-ins, ACH transfers with their events, and signed webhooks. */
export const plaidSimulator = (credentials: PlaidCredentials): Simulator => ({
  provider: SIMULATED_PLAID_PROVIDER,
  prefix: PREFIX,
  refusal: (status, code, message) =>
    plaidError(status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'API_ERROR', code, message),
  wire(server, world) {
    server.addHook('preHandler', async ({ headers, body, url }, reply) => {
      if (!isKnown(credentials, headers, (body ?? {}) as Record<string, unknown>))
        return problem(reply, BAD_KEYS);
      const fault = DOCUMENT.fault(operationOf(url), 'request', body);
      if (fault !== undefined) return problem(reply, badField(fault));
    });
    // An answer that their document does not have would teach the adapter a wrong provider.
    server.addHook('preSerialization', async ({ url }, reply, body) => {
      const path = operationOf(url);
      const fault = reply.statusCode === 200 ? DOCUMENT.fault(path, 'response', body) : undefined;
      if (fault !== undefined) throw new Error(`${path} answers against its document: ${fault}`);
      return body;
    });
    linkEndpoints(server, world);
    accountEndpoints(server, world);
    itemEndpoints(server, world);
    transferEndpoints(server, world);
    readingEndpoints(server, world);
    simulatingEndpoints(server, world);
  },
  controls(server, world) {
    publicTokenControl(server, world);
    transferControls(server, world);
    linkPage(server, world);
  },
});

/** Credentials come in headers or in the body. */
function isKnown(
  { PLAID_CLIENT_ID, PLAID_SECRET }: PlaidCredentials,
  headers: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
): boolean {
  const id = String(headers['plaid-client-id'] ?? body['client_id'] ?? '');
  const secret = String(headers['plaid-secret'] ?? body['secret'] ?? '');
  const isSet = PLAID_CLIENT_ID !== '' && PLAID_SECRET !== '';
  return isSet && sameSecret(id, PLAID_CLIENT_ID) && sameSecret(secret, PLAID_SECRET);
}

const NewToken = Type.Object({
  institution_id: Type.Optional(text(60)),
  subtype: Type.Optional(oneOfWords(['checking', 'savings'] as const)),
  available: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
});

/** `POST /banklink/public-tokens`: a person has finished the link flow. */
function publicTokenControl(server: FastifyInstance, world: World): void {
  server.post<{ Body: Static<typeof NewToken> | undefined }>(
    '/banklink/public-tokens',
    async ({ body = {} }, reply) => {
      const given = body ?? {};
      const finished = Value.Check(NewToken, given) ? await finishLink(world, given) : undefined;
      if (finished) return finished;
      return reply.code(400).send({ error: 'No such bank or account', code: 'VALIDATION_ERROR' });
    },
  );
}

const Step = Type.Object({
  event_type: oneOfWords(PLAID_STEPS),
  ach_return_code: Type.Optional(Type.String({ pattern: '^R[0-9]{2}$' })),
});
interface ById {
  Params: { transfer_id: string };
}

/** What a bank does with a transfer, late returns among it, and what may be wrong with a statement. */
function transferControls(server: FastifyInstance, world: World): void {
  server.post<ById & { Body: Static<typeof Step> }>(
    '/banklink/transfers/:transfer_id/events',
    { schema: { body: Step } },
    async ({ params: { transfer_id }, body: { event_type, ach_return_code } }, reply) => {
      const known = await transferNamed(world, transfer_id);
      if (!known) return reply.code(404).send({ error: 'No such transfer', code: 'NOT_FOUND' });
      if (
        !(await stepTransfer(world, known.id, event_type, {
          mayReturnLate: true,
          ...(ach_return_code && { failure: nachaFailure(ach_return_code) }),
        }))
      )
        return reply
          .code(409)
          .send({ error: `${event_type} does not follow ${known.status}`, code: 'CONFLICT' });
      return { transfer_id: known.id, event_type, delivered: await callBackOfEvents(world) };
    },
  );
}
