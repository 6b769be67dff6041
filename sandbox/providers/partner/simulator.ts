import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { rawBody } from '#sandbox/raw-body.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { DirectRequest, type KycWord, LinkRequest } from './bridge-schema.ts';
import {
  type CustomerFields,
  changeCustomer,
  createCustomerOnce,
  customerBy,
  customerNamed,
  customerOfLinkId,
  linksOf,
  SIMULATED_PARTNER,
  type StoredAccount,
  type StoredCustomer,
  shownCustomer,
  shownLink,
} from './simulated-customers.ts';
import { webhookKey } from './simulated-events.ts';
import { partnerPages } from './simulated-pages.ts';

export type PartnerCredentials = Pick<Config, 'PARTNER_API_KEY'>;

const PREFIX = '/partner';

/** Plays Bridge: links to its terms and checks, the customers that come of them, and its webhooks. */
export const partnerSimulator = ({ PARTNER_API_KEY: apiKey }: PartnerCredentials): Simulator => ({
  provider: SIMULATED_PARTNER,
  prefix: PREFIX,
  refusal: (_status, code, message) => ({ code: code.toLowerCase(), message }),
  wire(server, world) {
    server.addHook('preHandler', async ({ headers }, reply) => {
      if (apiKey === '' || !sameSecret(String(headers['api-key'] ?? ''), apiKey))
        return problem(reply, 401, 'invalid_credentials', 'Invalid API key');
    });
    createEndpoints(server, world);
    readEndpoints(server, world);
  },
  controls(server, world) {
    partnerPages(server, world);
    statusControl(server, world);
    accountControl(server, world);
  },
});

function createEndpoints(server: FastifyInstance, world: World): void {
  server.post('/v0/kyc_links', async (request, reply) => {
    const { body } = request;
    if (!Value.Check(LinkRequest, body)) return invalid(reply);
    const { type, email, full_name = email, endorsements = ['base'] } = body;
    const fields = { type, email, full_name, asked_endorsements: endorsements };
    return create(world, request, reply, fields, (customer) => shownLink(world, customer));
  });

  server.post('/v0/customers', async (request, reply) => {
    const { body } = request;
    if (!Value.Check(DirectRequest, body)) return invalid(reply);
    const { type, email, signed_agreement_id } = body;
    const full_name =
      body.business_legal_name ?? [body.first_name, body.last_name].filter(Boolean).join(' ');
    const asked = { asked_endorsements: body.endorsements ?? ['base'] };
    const fields = { type, email, full_name, signed_agreement_id, ...asked };
    const signed: CustomerFields = { ...fields, tos_status: 'approved' };
    return create(world, request, reply, signed, shownCustomer);
  });
}

/** Under a key, so that the same request makes one customer. */
async function create(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  ...[fields, shown]: [CustomerFields, (customer: StoredCustomer) => object]
) {
  const key = String(request.headers['idempotency-key'] ?? '');
  if (key === '' || key.length > 255)
    return problem(reply, 400, 'missing_header', 'Idempotency-Key is required');
  const customer = await world.records.exclusively(SIMULATED_PARTNER, 'key', key, (records) =>
    createCustomerOnce({ ...world, records }, key, rawBody(request), fields),
  );
  if (customer === undefined)
    return problem(reply, 422, 'invalid_idempotency_key', 'This key cannot be used again');
  return reply.code(201).send(shown(customer));
}

interface ById {
  Params: { id: string };
}

function readEndpoints(server: FastifyInstance, world: World): void {
  const onCustomer = (path: string, answer: (customer: StoredCustomer) => unknown) =>
    server.get<ById>(`/v0/customers/:id${path}`, async ({ params }, reply) => {
      const customer = await customerBy(world, params.id);
      return customer ? answer(customer) : notFound(reply);
    });
  onCustomer('', shownCustomer);
  onCustomer('/kyc_link', (customer) => ({ url: linksOf(world, customer).kyc_link }));
  onCustomer('/tos_acceptance_link', (customer) => ({ url: linksOf(world, customer).tos_link }));
  onCustomer('/external_accounts', async ({ id }) => {
    const where = { customer_id: id };
    const data = await world.records.list<StoredAccount>(SIMULATED_PARTNER, 'account', { where });
    return { count: data.length, data };
  });

  server.get<ById>('/v0/kyc_links/:id', async ({ params }, reply) => {
    const customer = await customerOfLinkId(world, params.id);
    return customer ? shownLink(world, customer) : notFound(reply);
  });
  server.post<ById>('/v0/customers/:id/simulate_kyc_approval', async ({ params }, reply) => {
    const changed = await changeCustomer(world, params.id, { kyc_status: 'approved' });
    return changed ? shownCustomer(changed) : notFound(reply);
  });
  server.get('/v0/webhooks', async () => {
    const { id, public_key } = await webhookKey(world);
    const url = `${world.serviceUrl()}/pspb/webhook`;
    const data = [{ id, url, status: 'active', public_key, event_categories: ['customer'] }];
    return { count: 1, data };
  });
}

/** What the contract calls each, and the partner. */
const STATUSES = {
  not_started: 'not_started',
  pending_verification: 'under_review',
  verified: 'approved',
  rejected: 'rejected',
} as const satisfies Record<string, KycWord>;
const Status = Type.Object({
  status: oneOfWords(Object.keys(STATUSES) as (keyof typeof STATUSES)[]),
});
interface ByName {
  Params: { customer: string };
}

/** `POST /partner/customers/{id or e-mail}/status`: the partner comes to another result. */
function statusControl(server: FastifyInstance, world: World): void {
  server.post<ByName & { Body: Static<typeof Status> }>(
    `${PREFIX}/customers/:customer/status`,
    { schema: { body: Status } },
    async ({ params, body }, reply) => {
      const found = await customerNamed(world, params.customer);
      if (!found) return unknownCustomer(reply);
      const kyc_status = STATUSES[body.status];
      // No customer is verified before the terms are accepted.
      const terms = body.status === 'verified' ? { tos_status: 'approved' as const } : {};
      const changed = await changeCustomer(world, found.id, { kyc_status, ...terms });
      return changed && shownCustomer(changed);
    },
  );
}

const Account = Type.Object({
  account_type: oneOfWords(['us', 'iban', 'clabe'] as const),
  bank_name: Type.Optional(text(100)),
});
const CURRENCY = { us: 'usd', iban: 'eur', clabe: 'mxn' } as const;

/** `POST /partner/customers/{id or e-mail}/external-accounts`: a bank account is added there. */
function accountControl(server: FastifyInstance, world: World): void {
  server.post<ByName & { Body: Static<typeof Account> }>(
    `${PREFIX}/customers/:customer/external-accounts`,
    { schema: { body: Account } },
    async ({ params, body }, reply) => {
      const customer = await customerNamed(world, params.customer);
      if (customer === undefined) return unknownCustomer(reply);
      const { account_type, bank_name = 'Sandbox Bank' } = body;
      const account: StoredAccount = {
        id: randomUUID(),
        customer_id: customer.id,
        account_type,
        bank_name,
        currency: CURRENCY[account_type],
        active: true,
      };
      await world.records.insert(SIMULATED_PARTNER, 'account', account.id, account);
      return reply.code(201).send(account);
    },
  );
}

const problem = (reply: FastifyReply, status: number, code: string, message: string) =>
  reply.code(status).send({ code, message });
const invalid = (reply: FastifyReply) =>
  problem(reply, 400, 'invalid_parameters', 'Please resubmit with valid parameters');
const notFound = (reply: FastifyReply) =>
  problem(reply, 404, 'not_found', 'Customer was not found');
const unknownCustomer = (reply: FastifyReply) =>
  reply.code(404).send({ error: 'There is no such customer here', code: 'NOT_FOUND' });
