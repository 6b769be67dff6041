import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import type { World } from '#sandbox/simulator.ts';
import { ISSUING_SIMULATOR, simulatedCardOf } from './simulated-cards.ts';
import {
  CASE_ACTIONS,
  CASE_ACTIONS_FROM,
  moveSimulatedCase,
  SIMULATED_CASE,
  type SimulatedCase,
} from './simulated-cases.ts';
import {
  type CallSecrets,
  caseCallbackOf,
  keepTransaction,
  newTransaction,
  simulatedTransactionOf,
} from './simulated-transactions.ts';

const DOCUMENT = 'case-document';

const NewCase = Type.Object({
  token: Type.Optional(text(36)),
  type: oneOfWords(['DISPUTE']),
  memo: Type.Optional(text(512)),
  dispute_details: Type.Object({
    original_transaction_token: text(36),
    dispute_amount: Type.Number({ exclusiveMinimum: 0 }),
    dispute_amount_change_reason: Type.Optional(
      oneOfWords(['MERCHANT_ISSUED_PARTIAL_REFUND', 'PARTIAL_AMOUNT']),
    ),
    category: oneOfWords(['FRAUD', 'AUTH', 'PROCESSING', 'CONSUMER']),
    reason_code: text(10),
  }),
});
const NewDocument = Type.Object({
  document_category: text(40),
  document_name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}\\.(pdf|tiff|jpeg)$' }),
  document_content_type: text(60),
  document: Type.String(),
});
const Move = Type.Object({ action: text(60), created_by: Type.Optional(text(60)) });

interface ByToken {
  Params: { token: string };
}
type Refuse = (reply: FastifyReply, status: number, code: string, message: string) => FastifyReply;

/** Cases, as the processor's reference has them. */
export function caseEndpoints(server: FastifyInstance, world: World, refuse: Refuse): void {
  const { records, clock } = world;
  const missing = (reply: FastifyReply) => refuse(reply, 404, '404050', 'There is no such case');
  server.post<{ Body: Static<typeof NewCase> }>(
    '/v3/cases',
    { schema: { body: NewCase } },
    async ({ body }, reply) => {
      const { dispute_details: details, token = randomUUID() } = body;
      const disputed = await simulatedTransactionOf(world, details.original_transaction_token);
      if (disputed?.type !== 'authorization.clearing')
        return refuse(reply, 400, '400201', 'The transaction is no clearing');
      if (details.dispute_amount > disputed.amount)
        return refuse(reply, 400, '400202', 'More is disputed than was cleared');
      const isPart = details.dispute_amount < disputed.amount;
      if (isPart && details.dispute_amount_change_reason === undefined)
        return refuse(reply, 400, '400203', 'Why less is disputed has to be said');
      const made: SimulatedCase = {
        ...body,
        token,
        state: 'OPEN',
        network_transitions: [],
        created_time: clock.now().toISOString(),
      };
      if (!(await records.insert(ISSUING_SIMULATOR, SIMULATED_CASE, token, made)))
        return refuse(reply, 409, '409001', 'The token is taken');
      return reply.code(201).send(shown(made));
    },
  );

  moveEndpoints(server, world, { refuse, missing });
  documentEndpoints(server, world, { refuse, missing });
}

interface Answers {
  readonly refuse: Refuse;
  missing(reply: FastifyReply): FastifyReply;
}

function moveEndpoints(server: FastifyInstance, world: World, { refuse, missing }: Answers): void {
  const caseOf = (token: string) =>
    world.records.get<SimulatedCase>(ISSUING_SIMULATOR, SIMULATED_CASE, token);

  server.get<ByToken>('/v3/cases/:token', async ({ params }, reply) => {
    const found = await caseOf(params.token);
    return found ? shown(found) : missing(reply);
  });

  server.get<ByToken>('/v3/cases/:token/disputetransitions', async ({ params }, reply) => {
    const found = await caseOf(params.token);
    return found ? page(found.network_transitions) : missing(reply);
  });

  server.post<ByToken & { Body: Static<typeof Move> }>(
    '/v3/cases/:token/transitions',
    { schema: { body: Move } },
    ({ params, body }, reply) =>
      body.action === 'CHARGEBACK_CREDIT' || body.action === 'CHARGEBACK_NO_CREDIT'
        ? move(world, refuse, reply, { ...body, token: params.token, from: ['OPEN'] })
        : refuse(reply, 400, '400204', 'There is no such action'),
  );

  server.post<ByToken & { Body: Static<typeof Move> }>(
    '/v3/cases/:token/disputetransitions',
    { schema: { body: Move } },
    ({ params, body }, reply) =>
      body.action in CASE_ACTIONS
        ? move(world, refuse, reply, {
            ...body,
            token: params.token,
            from: CASE_ACTIONS_FROM[body.action],
          })
        : refuse(reply, 400, '400204', 'There is no such action'),
  );
}

function documentEndpoints(
  server: FastifyInstance,
  { records, clock }: World,
  { refuse, missing }: Answers,
): void {
  server.get<ByToken>('/v3/cases/:token/contents', async ({ params }, reply) => {
    if (!(await records.get(ISSUING_SIMULATOR, SIMULATED_CASE, params.token)))
      return missing(reply);
    const where = { case_token: params.token };
    return page(await records.list(ISSUING_SIMULATOR, DOCUMENT, { where }));
  });

  server.post<ByToken & { Body: Static<typeof NewDocument> }>(
    '/v3/cases/:token/contents',
    { schema: { body: NewDocument } },
    async ({ params, body: { document, ...body } }, reply) => {
      if (!(await records.get(ISSUING_SIMULATOR, SIMULATED_CASE, params.token)))
        return missing(reply);
      const size = Buffer.from(document, 'base64').length;
      if (size === 0 || size > DOCUMENT_MAX)
        return refuse(reply, 400, '400205', 'A document has 2 MB at most');
      const token = randomUUID();
      const created_time = clock.now().toISOString();
      const made = { ...body, token, case_token: params.token, size, created_time };
      await records.insert(ISSUING_SIMULATOR, DOCUMENT, token, made);
      return reply.code(201).send(made);
    },
  );
}

const DOCUMENT_MAX = 2_000_000;

const shown = ({ network_transitions: _, ...one }: SimulatedCase) => one;
const page = <T>(data: readonly T[]) => ({
  count: data.length,
  start_index: 0,
  end_index: data.length,
  is_more: false,
  data,
});

interface AskedMove extends Static<typeof Move> {
  readonly token: string;
  readonly from: readonly string[] | undefined;
}

async function move(
  world: World,
  refuse: Refuse,
  reply: FastifyReply,
  { token, action, from = [], created_by }: AskedMove,
) {
  const made = await moveSimulatedCase(world, token, { action, from, created_by });
  if (made === 'missing') return refuse(reply, 404, '404050', 'There is no such case');
  if (made === 'not possible') return refuse(reply, 400, '400206', 'The case may not go there');
  return reply.code(201).send(made);
}

const NEWS = {
  representment: 'REPRESENTMENT_RECEIVED',
  prearbitration: 'RESPOND_WITH_PREARB',
  arbitration: 'RESPOND_WITH_ARB',
  won: 'CLOSE_WITH_CASE_WON',
  lost: 'CLOSE_WITH_CASE_LOST',
  rejected: 'CLOSE_WITH_NETWORK_REJECTED',
} as const;
const News = Type.Object({
  type: oneOfWords(Object.keys(NEWS) as (keyof typeof NEWS)[]),
  /** The service is not notified. */
  quiet: Type.Optional(Type.Boolean()),
});

/** What the network does with a dispute: `POST /issuing/disputes/{dispute_id}/news {type}`. */
export function disputeControls(server: FastifyInstance, world: World, secrets: CallSecrets): void {
  server.post<{ Params: { dispute_id: string }; Body: Static<typeof News> }>(
    '/issuing/disputes/:dispute_id/news',
    { schema: { body: News } },
    async ({ params, body: { type, quiet = false } }, reply) => {
      const token = uuidOfObjectId('dsp', params.dispute_id) ?? params.dispute_id;
      const action = NEWS[type];
      const made = await moveSimulatedCase(world, token, {
        action,
        from: CASE_ACTIONS_FROM[action] ?? [],
      });
      if (typeof made === 'string')
        return reply
          .code(404)
          .send({ error: 'The case is not there, or not so far', code: 'NOT_FOUND' });
      if (type === 'won') await giveBack(world, token);
      const taken = quiet
        ? false
        : await world.callbacks.deliver(ISSUING_SIMULATOR, caseCallbackOf(world, secrets, made));
      return { transition: made, taken };
    },
  );
}

/** The money that the network has given back, as a transaction. */
async function giveBack(world: World, token: string): Promise<void> {
  const found = await world.records.get<SimulatedCase>(ISSUING_SIMULATOR, SIMULATED_CASE, token);
  const details = found?.dispute_details;
  const after =
    details && (await simulatedTransactionOf(world, details.original_transaction_token));
  const card = after && (await simulatedCardOf(world, after.card_token));
  if (!details || !after || !card) return;
  const type = 'authorization.clearing.chargeback.completed';
  const made = newTransaction(world, card, after.currency_code, {
    type,
    method: `pgfs.${type}`,
    amount: details.dispute_amount,
    after,
  });
  await keepTransaction(world, made);
}
