import { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { CreateRequest, PSP_A_DUPLICATE, UpdateRequest } from '#providers/psp-a/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';

const PROVIDER = 'psp-a';

type Kept = Static<typeof CreateRequest> & {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  /** Of the request that made it. */
  readonly idempotency_key: string;
};

interface Attempt {
  readonly digest: string;
  readonly reference_id: string;
}

const Key = Type.String({ minLength: 1, maxLength: 100 });
const ByReference = Type.Object({ reference_id: Type.String({ minLength: 1, maxLength: 255 }) });

/** PSP A's customers API: one customer per reference, and per idempotency key one answer. */
export const pspASimulator = (config: Pick<Config, 'PSP_A_KEY'>): Simulator => ({
  provider: PROVIDER,
  prefix: '/psp-a',
  refusal: (_status, error_code, message) => ({ error_code, message }),

  wire(server, world) {
    const authorization = `Basic ${Buffer.from(`${config.PSP_A_KEY}:`).toString('base64')}`;
    server.addHook('preHandler', async (request, reply) => {
      if (request.headers.authorization === authorization) return;
      return refuse(reply, 401, 'INVALID_API_KEY', 'API key is not authorized');
    });

    server.post('/customers', async (request, reply) => {
      const key = request.headers['idempotency-key'] ?? randomUUID();
      if (!Value.Check(Key, key))
        return invalid(reply, 'idempotency-key must have 1 to 100 characters');
      if (!Value.Check(CreateRequest, request.body))
        return invalid(reply, faultOf(CreateRequest, request));
      const { body } = request;
      return world.records.exclusively(PROVIDER, 'idempotency', key, (records) =>
        create({ ...world, records }, key, body, reply),
      );
    });

    server.get('/customers', async (request, reply) => {
      if (!Value.Check(ByReference, request.query))
        return invalid(reply, 'reference_id is required');
      const kept = await byReference(world, request.query.reference_id);
      return { data: kept ? [shown(kept)] : [], has_more: false };
    });

    server.get<{ Params: { id: string } }>('/customers/:id', async ({ params }, reply) => {
      const kept = await byId(world, params.id);
      return kept ? shown(kept) : missing(reply);
    });

    server.patch<{ Params: { id: string } }>('/customers/:id', async (request, reply) => {
      if (!Value.Check(UpdateRequest, request.body))
        return invalid(reply, faultOf(UpdateRequest, request));
      const after = await update(world, request.params.id, request.body);
      return after ? shown(after) : missing(reply);
    });
  },
});

async function create(
  world: World,
  key: string,
  body: Static<typeof CreateRequest>,
  reply: FastifyReply,
) {
  const { records, clock } = world;
  const attempt: Attempt = { digest: digestOf(body), reference_id: body.reference_id };
  if (!(await records.insert(PROVIDER, 'idempotency', key, attempt))) {
    const before = await records.get<Attempt>(PROVIDER, 'idempotency', key);
    if (before?.digest !== attempt.digest) {
      return refuse(reply, 409, 'IDEMPOTENCY_ERROR', 'Another request had this idempotency key');
    }
  }
  const now = clock.now().toISOString();
  const customer: Kept = {
    ...body,
    id: `cust-${randomUUID()}`,
    created: now,
    updated: now,
    idempotency_key: key,
  };
  if (await records.insert(PROVIDER, 'customer', body.reference_id, customer))
    return shown(customer);
  const kept = await byReference(world, body.reference_id);
  if (kept?.idempotency_key === key) return shown(kept);
  return refuse(reply, 409, PSP_A_DUPLICATE, 'There is a customer of this reference_id');
}

/** Nothing when there is no such customer. */
async function update({ records, clock }: World, id: string, change: Static<typeof UpdateRequest>) {
  const kept = await records.find<Kept>(PROVIDER, 'customer', 'id', id);
  if (kept === undefined) return undefined;
  const updated = clock.now().toISOString();
  return records.update<Kept>(PROVIDER, 'customer', kept.reference_id, (now) => ({
    ...now,
    ...change,
    metadata: { ...now.metadata, ...change.metadata },
    updated,
  }));
}

const byReference = ({ records }: World, reference: string) =>
  records.get<Kept>(PROVIDER, 'customer', reference);

const byId = ({ records }: World, id: string) => records.find<Kept>(PROVIDER, 'customer', 'id', id);

const shown = ({ idempotency_key: _, ...customer }: Kept) => ({
  individual_detail: null,
  business_detail: null,
  description: null,
  email: null,
  mobile_number: null,
  phone_number: null,
  addresses: null,
  identity_accounts: null,
  kyc_documents: null,
  metadata: null,
  ...customer,
});

const digestOf = (body: object): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('hex');

function faultOf(schema: TSchema, { body }: FastifyRequest): string {
  const [first] = Value.Errors(schema, body);
  return `${first?.instancePath || 'The body'} ${first?.message ?? 'is invalid'}`;
}

const refuse = (reply: FastifyReply, status: number, error_code: string, message: string) =>
  reply.code(status).send({ error_code, message });

const invalid = (reply: FastifyReply, message: string) =>
  refuse(reply, 400, 'API_VALIDATION_ERROR', message);

const missing = (reply: FastifyReply) =>
  refuse(reply, 404, 'CUSTOMER_NOT_FOUND_ERROR', 'There is no such customer');
