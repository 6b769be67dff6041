import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { SIMULATED_EVENTS } from '#providers/plaid/port.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import {
  answered,
  BAD_KEYS,
  badField,
  ITEM_GONE,
  NO_ACCESS_TOKEN,
  NO_INSTITUTION,
  NO_PUBLIC_TOKEN,
  plaidError,
  problem,
  SIMULATED_PLAID_PROVIDER,
} from './simulated-answers.ts';
import { exchangeToken, findItem, finishLink, openLink, removeItem } from './simulated-items.ts';
import { linkPage } from './simulated-page.ts';
import {
  readingEndpoints,
  simulatingEndpoints,
  transferEndpoints,
} from './simulated-transfer-routes.ts';
import { stepTransfer, transferNamed } from './simulated-transfers.ts';
import { callBackOfEvents } from './simulated-webhook.ts';

export type PlaidCredentials = Pick<Config, 'PLAID_CLIENT_ID' | 'PLAID_SECRET'>;

const PREFIX = '/plaid';

/** Plays Plaid: linked bank log-ins, ACH transfers with their events, and signed webhooks. */
export const plaidSimulator = (credentials: PlaidCredentials): Simulator => ({
  provider: SIMULATED_PLAID_PROVIDER,
  prefix: PREFIX,
  refusal: (status, code, message) =>
    plaidError(status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'API_ERROR', code, message),
  wire(server, world) {
    server.addHook('preHandler', async ({ headers, body }, reply) => {
      if (!isKnown(credentials, headers, (body ?? {}) as Record<string, unknown>))
        return problem(reply, BAD_KEYS);
    });
    linkEndpoints(server, world);
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

const LinkRequest = Type.Object({
  client_name: text(100),
  language: text(10),
  country_codes: Type.Array(text(2), { minItems: 1 }),
  user: Type.Object({ client_user_id: text(200), phone_number: Type.Optional(text(40)) }),
  redirect_uri: Type.Optional(text(2000)),
});
const PublicTokenRequest = Type.Object({ institution_id: text(60) });
const Exchange = Type.Object({ public_token: text(200) });

function linkEndpoints(server: FastifyInstance, world: World): void {
  server.post('/link/token/create', async ({ body }, reply) => {
    if (!Value.Check(LinkRequest, body)) return problem(reply, badField('invalid request'));
    const { user, redirect_uri = null } = body;
    const { link_token, expires_at } = await openLink(world, user.client_user_id, redirect_uri);
    return answered({ link_token, expiration: new Date(expires_at * 1000).toISOString() });
  });

  server.post('/sandbox/public_token/create', async ({ body }, reply) => {
    if (!Value.Check(PublicTokenRequest, body)) return problem(reply, badField('invalid request'));
    const finished = await finishLink(world, body);
    if (!finished) return problem(reply, NO_INSTITUTION);
    return answered({ public_token: finished.public_token });
  });

  server.post('/item/public_token/exchange', async ({ body }, reply) => {
    if (!Value.Check(Exchange, body)) return problem(reply, badField('invalid request'));
    const exchanged = await exchangeToken(world, body.public_token);
    return exchanged ? answered(exchanged) : problem(reply, NO_PUBLIC_TOKEN);
  });
}

const ByItem = Type.Object({ access_token: text(200) });

function itemEndpoints(server: FastifyInstance, world: World): void {
  server.post('/accounts/get', async ({ body }, reply) => {
    if (!Value.Check(ByItem, body)) return problem(reply, badField('invalid request'));
    const item = await findItem(world, body.access_token);
    if (!item) return problem(reply, NO_ACCESS_TOKEN);
    if (item.removed) return problem(reply, ITEM_GONE);
    const { accounts, item_id, institution, webhook } = item;
    const shown = { item_id, institution_id: institution.institution_id, webhook, error: null };
    return answered({ accounts, item: shown });
  });

  server.post('/item/remove', async ({ body }, reply) => {
    if (!Value.Check(ByItem, body)) return problem(reply, badField('invalid request'));
    if (!(await findItem(world, body.access_token))) return problem(reply, NO_ACCESS_TOKEN);
    const isRemoved = await removeItem(world, body.access_token);
    return isRemoved ? answered({}) : problem(reply, ITEM_GONE);
  });
}

const NewToken = Type.Object({
  institution_id: Type.Optional(text(60)),
  subtype: Type.Optional(oneOfWords(['checking', 'savings'] as const)),
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

const Step = Type.Object({ event_type: oneOfWords(SIMULATED_EVENTS) });
interface ById {
  Params: { transfer_id: string };
}

/** What a bank does with a transfer, late returns among it, and what may be wrong with a statement. */
function transferControls(server: FastifyInstance, world: World): void {
  server.post<ById & { Body: Static<typeof Step> }>(
    '/banklink/transfers/:transfer_id/events',
    { schema: { body: Step } },
    async ({ params: { transfer_id }, body: { event_type } }, reply) => {
      const known = await transferNamed(world, transfer_id);
      if (!known) return reply.code(404).send({ error: 'No such transfer', code: 'NOT_FOUND' });
      if (!(await stepTransfer(world, known.id, event_type, true)))
        return reply
          .code(409)
          .send({ error: `${event_type} does not follow ${known.status}`, code: 'CONFLICT' });
      return { transfer_id: known.id, event_type, delivered: await callBackOfEvents(world) };
    },
  );
}
