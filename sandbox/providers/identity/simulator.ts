import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { TOKEN_TTL_S } from '#providers/identity/port.ts';
import {
  AccessRequest,
  ApplicantRequest,
  requestSignature,
  type WireApplicant,
} from '#providers/identity/wire.ts';
import { rawBody } from '#sandbox/raw-body.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import {
  applicantsOf,
  ensureApplicant,
  type Finish,
  finishReview,
  isLevel,
  levelType,
  readApplicant,
  restartReview,
  SIMULATED_IDENTITY_PROVIDER,
} from './simulated-applicants.ts';
import { hostedPages } from './simulated-page.ts';

export type IdentityCredentials = Pick<
  Config,
  'IDENTITY_APP_TOKEN' | 'IDENTITY_SECRET' | 'IDENTITY_WEBHOOK_SECRET'
>;

const PREFIX = '/identity';

/** Plays Sumsub: checks signatures, keeps applicants, and lets a person click through a review. */
export const identitySimulator = (credentials: IdentityCredentials): Simulator => ({
  provider: SIMULATED_IDENTITY_PROVIDER,
  prefix: PREFIX,
  refusal: (code, _code, description) => ({ code, description }),
  wire(server, world) {
    server.addHook('preHandler', async (request, reply) => {
      const fault = unsigned(request, credentials, world.clock.seconds());
      if (fault === undefined) return;
      const [description, ...named] = fault;
      return problem(reply, 401, description, named);
    });
    accessEndpoints(server, world);
    applicantEndpoints(server, world);
  },
  controls(server, world) {
    reviewControl(server, world, credentials.IDENTITY_WEBHOOK_SECRET);
    hostedPages(server, world, credentials.IDENTITY_WEBHOOK_SECRET);
  },
});

const CLOCK_TOLERANCE_S = 60;

/** What is wrong with a request's credentials: the provider's description, error code and name. */
function unsigned(
  request: FastifyRequest,
  { IDENTITY_APP_TOKEN: appToken, IDENTITY_SECRET: secret }: IdentityCredentials,
  now: number,
): readonly [string, number, string] | undefined {
  const headers = ['x-app-token', 'x-app-access-ts', 'x-app-access-sig'].map((name) =>
    String(request.headers[name] ?? ''),
  );
  const [token = '', timestamp = '', signature = ''] = headers;
  if (appToken === '' || secret === '' || token !== appToken)
    return ['Invalid app token', 4000, 'app-token-not-found'];
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > CLOCK_TOLERANCE_S)
    return ['Request timestamp is expired', 4004, 'app-token-request-expired'];
  const path = request.url.slice(PREFIX.length);
  const right = requestSignature(secret, timestamp, {
    method: request.method,
    path,
    body: rawBody(request),
  });
  // Lower case only, as the provider has it.
  return sameSecret(signature, right)
    ? undefined
    : ['Request signature mismatch', 4003, 'app-token-signature-mismatch'];
}

function accessEndpoints(server: FastifyInstance, world: World): void {
  server.post('/resources/accessTokens/sdk', async ({ body }, reply) => {
    if (!Value.Check(AccessRequest, body)) return invalid(reply);
    if (!isLevel(body.levelName)) return noLevel(reply, body.levelName);
    const token = `_act-sbx-${randomUUID()}`;
    await world.records.insert(SIMULATED_IDENTITY_PROVIDER, 'token', token, {
      ...body,
      expires_at: world.clock.seconds() + (body.ttlInSecs ?? TOKEN_TTL_S),
    });
    return { token, userId: body.userId };
  });

  server.post('/resources/sdkIntegrations/levels/-/websdkLink', async ({ body }, reply) => {
    if (!Value.Check(AccessRequest, body)) return invalid(reply);
    if (!isLevel(body.levelName)) return noLevel(reply, body.levelName);
    const link = randomUUID().replaceAll('-', '');
    await world.records.insert(SIMULATED_IDENTITY_PROVIDER, 'link', link, {
      ...body,
      expires_at: world.clock.seconds() + (body.ttlInSecs ?? TOKEN_TTL_S),
    });
    return { url: `${world.sandboxUrl()}${PREFIX}/websdk/p/${link}` };
  });
}

interface ById {
  Params: { id: string };
}

function applicantEndpoints(server: FastifyInstance, world: World): void {
  server.post<{ Querystring: { levelName?: string } }>(
    '/resources/applicants',
    async ({ body, query }, reply) => {
      const { levelName = '' } = query;
      if (!Value.Check(ApplicantRequest, body)) return invalid(reply);
      if (!isLevel(levelName)) return noLevel(reply, levelName);
      const person = { ...body, levelName, type: body.type ?? levelType(levelName) };
      const { created, applicant } = await ensureApplicant(world, person);
      if (created) return reply.code(201).send(applicant);
      const taken = `Applicant with external user id '${body.externalUserId}' already exists`;
      return problem(reply, 409, `${taken}: ${applicant.id}`);
    },
  );

  server.get<ById>('/resources/applicants/:id/one', async ({ params }, reply) => {
    const [applicant] = await findApplicants(world, params.id);
    return applicant ?? noApplicant(reply);
  });

  server.get<ById>('/resources/applicants/:id', async ({ params }) => {
    const items = await findApplicants(world, params.id);
    return { list: { items, totalItems: items.length } };
  });

  server.post<ById & { Querystring: { name?: string } }>(
    '/resources/applicants/:id/moveToLevel',
    async ({ params, query }, reply) => {
      const { name = '' } = query;
      if ((await readApplicant(world, params.id)) === undefined) return noApplicant(reply);
      if (!isLevel(name)) return noLevel(reply, name);
      return restartReview(world, params.id, name);
    },
  );
}

/** By the provider's id, or by `-;externalUserId=` and ours. */
async function findApplicants(world: World, id: string): Promise<WireApplicant[]> {
  const [, externalUserId] = /^-;externalUserId=(.+)$/.exec(id) ?? [];
  if (externalUserId !== undefined) return applicantsOf(world, externalUserId);
  const applicant = await readApplicant(world, id);
  return applicant ? [applicant] : [];
}

const FinishRequest = Type.Object({
  externalUserId: text(64),
  type: oneOfWords(['KYC', 'KYB'] as const),
  reviewAnswer: oneOfWords(['GREEN', 'RED'] as const),
  name: Type.Optional(text(200)),
});

/** `POST /identity/reviews`: the provider finishes a review and calls the service. */
function reviewControl(server: FastifyInstance, world: World, webhookSecret: string): void {
  server.post<{ Body: Finish }>(
    `${PREFIX}/reviews`,
    { schema: { body: FinishRequest } },
    async ({ body }) => {
      const { applicant, delivered } = await finishReview(world, webhookSecret, body);
      const { externalUserId, type, reviewAnswer } = body;
      const applicantId = applicant.id;
      return {
        applicantId,
        externalUserId,
        type,
        reviewStatus: 'completed',
        reviewAnswer,
        delivered,
      };
    },
  );
}

function problem(
  reply: FastifyReply,
  code: number,
  description: string,
  [errorCode, errorName]: readonly [code?: number, name?: string] = [],
) {
  const correlationId = randomUUID().replaceAll('-', '');
  return reply.code(code).send({ description, code, correlationId, errorCode, errorName });
}

const invalid = (reply: FastifyReply) => problem(reply, 400, 'Invalid parameters');
const noApplicant = (reply: FastifyReply) => problem(reply, 404, 'Applicant not found');
const noLevel = (reply: FastifyReply, name: string) =>
  problem(reply, 404, `Level '${name}' not found`);
