import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Config } from '#kernel/config/config.ts';
import { text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { readPain001 } from './read-pain-001.ts';
import { bankHostControls } from './simulated-controls.ts';
import { BANK_HOST_SIMULATOR, verifyHolder } from './simulated-holders.ts';
import { hostFileOf, hostOrderOf, takeFile } from './simulated-orders.ts';
import {
  type NotificationQuery,
  notifications,
  reportOfOrder,
  reportOfSubmission,
} from './simulated-reports.ts';

const PREFIX = '/bank-host';
const KEY = 'key';
const XML = 'application/xml';

/**
 * Plays a bank's HTTPS door for ISO 20022 files, as SIX publishes it for bLink (`POST /iso20022/payments`, its
 * status report) and Banking Circle (idempotency keys): written from ISO's message definitions.
 */
export const bankHostSimulator = ({
  BANK_HOST_KEY: key,
}: Pick<Config, 'BANK_HOST_KEY'>): Simulator => ({
  provider: BANK_HOST_SIMULATOR,
  prefix: PREFIX,
  refusal: problem,
  wire(server, world) {
    server.addContentTypeParser(
      [XML, 'text/xml'],
      { parseAs: 'string' },
      (_request, body, parsed) => parsed(null, String(body)),
    );
    server.addHook('preHandler', async ({ headers }, reply) => {
      if (key !== '' && sameSecret(headers.authorization ?? '', `Bearer ${key}`)) return;
      return refuse(reply, 401, 'UNAUTHORIZED', 'The key is not valid');
    });
    paymentEndpoints(server, world);
    reportEndpoints(server, world);
    verificationEndpoint(server, world);
  },
  controls: bankHostControls,
});

function problem(status: number, code: string, title: string): object {
  return { type: `/problems/${code}`, title, status };
}

const refuse = (reply: FastifyReply, status: number, code: string, title: string) =>
  reply
    .code(status)
    .type('application/problem+json')
    .send(problem(status, code, title));

function paymentEndpoints(server: FastifyInstance, world: World): void {
  const { records } = world;
  server.post('/iso20022/payments', async ({ body, headers }, reply) => {
    const initiation = typeof body === 'string' ? readPain001(body) : undefined;
    if (initiation === undefined)
      return refuse(reply, 400, 'INVALID_PAYLOAD', 'The body is no valid pain.001.001.09');
    const name = headers['idempotency-key'];
    const key = typeof name === 'string' ? name.slice(0, 100) : undefined;
    // A key that is used up without its payment would refuse the repetition for good.
    const taken = await records.atomic(async (own) => {
      const isNew = key === undefined || (await own.insert(BANK_HOST_SIMULATOR, KEY, key, {}));
      return isNew ? takeFile({ ...world, records: own }, initiation) : undefined;
    });
    if (taken === undefined)
      return refuse(reply, 409, 'DUPLICATE_IDEMPOTENCY_KEY', 'This key was used for a payment');
    return reply.code(201).header('location', `${PREFIX}/iso20022/payments/${taken.id}`).send();
  });
}

function reportEndpoints(server: FastifyInstance, world: World): void {
  const { records } = world;
  const ByName = Type.Object({ endToEndId: text(35) });
  server.get<{ Querystring: Static<typeof ByName> }>(
    '/iso20022/payments/status',
    { schema: { querystring: ByName } },
    async ({ query }, reply) => {
      const order = await hostOrderOf(records, query.endToEndId);
      if (order === undefined) return missing(reply);
      return reply.type(XML).send(reportOfOrder(world, order));
    },
  );

  server.get<{ Params: { id: string } }>(
    '/iso20022/payments/:id/status',
    async ({ params }, reply) => {
      const submission = await hostFileOf(records, params.id);
      if (submission === undefined) return missing(reply);
      return reply.type(XML).send(await reportOfSubmission(world, submission));
    },
  );

  server.get<{ Querystring: NotificationQuery }>(
    '/iso20022/notifications',
    async ({ query }, reply) => {
      const { xml, next } = await notifications(world, query);
      if (next !== undefined) {
        const further = new URLSearchParams({ ...query, after: next });
        reply.header('link', `<${PREFIX}/iso20022/notifications?${further}>; rel="next"`);
      }
      return reply.type(XML).send(xml);
    },
  );
}

const missing = (reply: FastifyReply) =>
  refuse(reply, 404, 'RESOURCE_UNKNOWN', 'There is no such payment');

const Asked = Type.Object({
  name: text(140),
  account: Type.Object({
    id: text(34),
    currency: text(3),
    agent: Type.Object({
      bic: Type.Optional(text(11)),
      clearingSystem: Type.Optional(text(5)),
      memberId: Type.Optional(text(35)),
    }),
  }),
});

const verificationEndpoint = (server: FastifyInstance, { records }: World) =>
  server.post<{ Body: Static<typeof Asked> }>(
    '/payee-verifications',
    { schema: { body: Asked } },
    ({ body }) => verifyHolder(records, body.account.id, body.name),
  );
