import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { CUSTOMER_STATUSES, type CustomerStatus } from '#providers/partner/port.ts';
import {
  CustomerRequest,
  type WireCustomer,
  type WireExternalAccount,
} from '#providers/partner/wire.ts';
import { rawBody } from '#sandbox/raw-body.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';

export type PartnerCredentials = Pick<Config, 'PARTNER_API_KEY'>;

const PROVIDER = 'partner';
const PREFIX = '/partner';
/** How long a key is remembered; after that it is refused. */
const KEY_TTL_S = 86_400;

interface StoredCustomer extends WireCustomer {
  /** Whose it is at the service: what it sent as `x-client-reference`. */
  readonly reference: string;
}
interface StoredKey {
  readonly customer_id: string;
  readonly digest: string;
  readonly used_at: number;
}
type StoredAccount = WireExternalAccount & { readonly customer_id: string };

/** Plays Bridge: customers, what they may do, and keys that make it safe to repeat a creation. */
export const partnerSimulator = ({ PARTNER_API_KEY: apiKey }: PartnerCredentials): Simulator => ({
  provider: PROVIDER,
  prefix: PREFIX,
  wire(server, world) {
    server.addHook('preHandler', async ({ headers }, reply) => {
      if (apiKey === '' || !sameSecret(String(headers['api-key'] ?? ''), apiKey))
        return problem(reply, 401, 'invalid_credentials', 'Invalid API key');
    });
    createEndpoint(server, world);
    readEndpoints(server, world);
  },
  controls(server, world) {
    statusControl(server, world);
    accountControl(server, world);
  },
});

function createEndpoint(server: FastifyInstance, world: World): void {
  server.post('/v0/customers', async (request, reply) => {
    const { body, headers } = request;
    const key = String(headers['idempotency-key'] ?? '');
    if (key === '' || key.length > 255)
      return problem(reply, 400, 'missing_header', 'Idempotency-Key is required');
    if (!Value.Check(CustomerRequest, body))
      return problem(reply, 400, 'invalid_parameters', 'Please resubmit with valid parameters');
    const reference = String(headers['x-client-reference'] ?? '');
    const customer = await world.records.exclusively(PROVIDER, 'key', key, (records) =>
      createOnce({ ...world, records }, key, rawBody(request), (id) =>
        newCustomer(world, id, reference, body),
      ),
    );
    if (customer === undefined)
      return problem(reply, 422, 'invalid_idempotency_key', 'This key cannot be used again');
    return reply.code(201).send(shown(customer));
  });
}

/** The customer that the key stands for; nothing when it is too old or was used for something else. */
async function createOnce(
  world: World,
  key: string,
  raw: Buffer,
  make: (id: string) => StoredCustomer,
): Promise<StoredCustomer | undefined> {
  const used = await useKey(world, key, raw);
  if (used === undefined) return undefined;
  const customer = make(used.customer_id);
  await world.records.insert(PROVIDER, 'customer', customer.id, customer);
  return findCustomer(world, customer.id);
}

/** Which customer the key stands for; nothing when it is too old or was used for something else. */
async function useKey(world: World, key: string, raw: Buffer): Promise<StoredKey | undefined> {
  const now = world.clock.seconds();
  const digest = createHash('sha256').update(raw).digest('hex');
  const fresh: StoredKey = { customer_id: randomUUID(), digest, used_at: now };
  if (await world.records.insert(PROVIDER, 'key', key, fresh)) return fresh;
  const known = await world.records.get<StoredKey>(PROVIDER, 'key', key);
  const good = known?.digest === digest && now - known.used_at < KEY_TTL_S;
  return good ? known : undefined;
}

function newCustomer(world: World, id: string, reference: string, request: CustomerRequest) {
  const now = world.clock.now().toISOString();
  const { endorsements = ['base'], signed_agreement_id = null, ...given } = request;
  const customer: StoredCustomer = {
    ...given,
    id,
    reference,
    status: 'not_started',
    endorsements: endorsements.map((name) => ({ name, status: 'incomplete' })),
    signed_agreement_id,
    created_at: now,
    updated_at: now,
  };
  return { ...customer, ...PROFILES.not_started };
}

interface ById {
  Params: { id: string };
}

function readEndpoints(server: FastifyInstance, world: World): void {
  server.get<ById>('/v0/customers/:id', async ({ params }, reply) => {
    const customer = await findCustomer(world, params.id);
    return customer ? shown(customer) : notFound(reply);
  });

  server.get<ById>('/v0/customers/:id/external_accounts', async ({ params }, reply) => {
    if ((await findCustomer(world, params.id)) === undefined) return notFound(reply);
    const where = { customer_id: params.id };
    const data = await world.records.list<StoredAccount>(PROVIDER, 'account', { where });
    return { count: data.length, data };
  });
}

const Status = Type.Object({ status: oneOfWords(CUSTOMER_STATUSES) });
interface ByUser {
  Params: { user_id: string };
}

/** `POST /partner/customers/{user_id}/status`: the provider comes to another result. */
function statusControl(server: FastifyInstance, world: World): void {
  server.post<ByUser & { Body: Static<typeof Status> }>(
    `${PREFIX}/customers/:user_id/status`,
    { schema: { body: Status } },
    async ({ params, body }, reply) => {
      const found = await customerOf(world, params.user_id);
      const changed =
        found &&
        (await world.records.update<StoredCustomer>(PROVIDER, 'customer', found.id, (customer) => ({
          ...customer,
          ...PROFILES[body.status],
          endorsements: (customer.endorsements ?? []).map(({ name }) => ({
            name,
            status: ENDORSEMENT[body.status],
          })),
          updated_at: world.clock.now().toISOString(),
        })));
      return changed ? shown(changed) : unknownUser(reply);
    },
  );
}

const Account = Type.Object({
  account_type: oneOfWords(['us', 'iban', 'clabe'] as const),
  bank_name: Type.Optional(text(100)),
});
const CURRENCY = { us: 'usd', iban: 'eur', clabe: 'mxn' } as const;

/** `POST /partner/customers/{user_id}/external-accounts`: a bank account is added there. */
function accountControl(server: FastifyInstance, world: World): void {
  server.post<ByUser & { Body: Static<typeof Account> }>(
    `${PREFIX}/customers/:user_id/external-accounts`,
    { schema: { body: Account } },
    async ({ params, body }, reply) => {
      const customer = await customerOf(world, params.user_id);
      if (customer === undefined) return unknownUser(reply);
      const { account_type, bank_name = 'Sandbox Bank' } = body;
      const account: StoredAccount & { bank_name: string } = {
        id: randomUUID(),
        customer_id: customer.id,
        account_type,
        bank_name,
        currency: CURRENCY[account_type],
        active: true,
      };
      await world.records.insert(PROVIDER, 'account', account.id, account);
      return reply.code(201).send(account);
    },
  );
}

type Profile = Pick<WireCustomer, 'status' | 'capabilities' | 'requirements_due'>;
type State = 'pending' | 'active' | 'inactive' | 'rejected';

const capabilities = (state: State) => ({
  payin_crypto: state,
  payout_crypto: state,
  payin_fiat: state,
  payout_fiat: state,
});

/** What goes along with each status that a control may ask for, in the provider's own words. */
const PROFILES: Record<CustomerStatus, Profile> = {
  not_started: {
    status: 'not_started',
    capabilities: capabilities('inactive'),
    requirements_due: ['external_account', 'id_verification'],
  },
  pending_verification: {
    status: 'under_review',
    capabilities: capabilities('pending'),
    requirements_due: ['external_account'],
  },
  verified: {
    status: 'active',
    capabilities: capabilities('active'),
    requirements_due: ['external_account'],
  },
  rejected: {
    status: 'rejected',
    capabilities: capabilities('rejected'),
    requirements_due: [],
  },
};
const ENDORSEMENT = {
  not_started: 'incomplete',
  pending_verification: 'incomplete',
  verified: 'approved',
  rejected: 'revoked',
} as const satisfies Record<CustomerStatus, string>;

const findCustomer = (world: World, id: string) =>
  world.records.get<StoredCustomer>(PROVIDER, 'customer', id);
const customerOf = (world: World, user_id: string) =>
  world.records.find<StoredCustomer>(PROVIDER, 'customer', 'reference', user_id);

/** Our own note of whose it is stays here, as the provider would not know it. */
function shown(customer: StoredCustomer | undefined): WireCustomer | undefined {
  if (customer === undefined) return undefined;
  const { reference: _, ...wire } = customer;
  return wire;
}

const problem = (reply: FastifyReply, status: number, code: string, message: string) =>
  reply.code(status).send({ code, message });
const notFound = (reply: FastifyReply) =>
  problem(reply, 404, 'not_found', 'Customer was not found');
const unknownUser = (reply: FastifyReply) =>
  reply.code(404).send({ error: 'This user has no customer here', code: 'NOT_FOUND' });
