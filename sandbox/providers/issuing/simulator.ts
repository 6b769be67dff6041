import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Config } from '#kernel/config/config.ts';
import { text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import {
  addCard,
  addUser,
  ISSUING_SIMULATOR,
  moveSimulatedCard,
  openSimulatedPage,
  type SimulatedCard,
  simulatedCardOf,
  simulatedUserOf,
} from './simulated-cards.ts';
import { caseEndpoints, disputeControls } from './simulated-disputes.ts';
import { issuingNetwork } from './simulated-network.ts';
import { issuingPages } from './simulated-pages.ts';
import {
  type CallSecrets,
  simulatedTransactionOf,
  transactionsBetween,
} from './simulated-transactions.ts';

/** Plays Marqeta's Core API, written from its published reference. */
export const issuingSimulator = ({
  ISSUING_APP_TOKEN,
  ISSUING_ADMIN_TOKEN,
  ...secrets
}: Pick<Config, 'ISSUING_APP_TOKEN' | 'ISSUING_ADMIN_TOKEN'> & CallSecrets): Simulator => ({
  provider: ISSUING_SIMULATOR,
  prefix: '/issuing',
  refusal: (status, _code, message) => refusalBody(`${status}001`, message),
  wire(server, world) {
    const credentials = `${ISSUING_APP_TOKEN}:${ISSUING_ADMIN_TOKEN}`;
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    server.addHook('preHandler', async ({ headers }, reply) => {
      if (sameSecret(headers.authorization ?? '', authorization)) return;
      return refuse(reply, 401, '401001', 'Not authorized');
    });
    userEndpoints(server, world);
    cardEndpoints(server, world);
    pageEndpoints(server, world);
    transactionEndpoints(server, world);
    caseEndpoints(server, world, refuse);
  },
  controls(server, world) {
    issuingPages(server, world);
    issuingNetwork(server, world, secrets);
    disputeControls(server, world, secrets);
  },
});

const refusalBody = (error_code: string, error_message: string) => ({ error_code, error_message });
const refuse = (reply: FastifyReply, status: number, code: string, message: string) =>
  reply.code(status).send(refusalBody(code, message));

const Token = text(36);
const NewUser = Type.Object({
  token: Type.Optional(Token),
  first_name: text(40),
  last_name: text(40),
  email: Type.Optional(text(255)),
});

function userEndpoints(server: FastifyInstance, world: World): void {
  server.post<{ Body: Static<typeof NewUser> }>(
    '/v3/users',
    { schema: { body: NewUser } },
    async ({ body }, reply) => {
      const { token, first_name, last_name, email } = body;
      const made = await addUser(world, { token, first_name, last_name, email });
      if (made === undefined) return refuse(reply, 409, '409001', 'The token is taken');
      return reply.code(201).send({ ...made, active: true, status: 'ACTIVE', metadata: {} });
    },
  );
}

const Named = Type.Object({ value: text(40) });
const NewCard = Type.Object({
  token: Type.Optional(Token),
  user_token: Token,
  card_product_token: Token,
  fulfillment: Type.Optional(
    Type.Object({
      card_personalization: Type.Object({ text: Type.Object({ name_line_1: Named }) }),
    }),
  ),
});
const Transition = Type.Object({
  token: Type.Optional(Token),
  card_token: Token,
  channel: Type.String({ enum: ['API', 'IVR', 'FRAUD', 'ADMIN', 'SYSTEM'] }),
  state: Type.String({ enum: ['ACTIVE', 'SUSPENDED', 'TERMINATED'] }),
  reason_code: Type.String({ pattern: '^(0\\d|1\\d|2\\d|3[0-2]|86)$' }),
  reason: Type.Optional(text(255)),
});

function cardEndpoints(server: FastifyInstance, world: World): void {
  server.post<{ Body: Static<typeof NewCard> }>(
    '/v3/cards',
    { schema: { body: NewCard } },
    async ({ body }, reply) => {
      const { token, user_token, card_product_token, fulfillment } = body;
      const user = await simulatedUserOf(world, user_token);
      if (user === undefined) return refuse(reply, 404, '404003', 'There is no such user');
      const named = fulfillment?.card_personalization.text.name_line_1.value;
      const name = named ?? `${user.first_name} ${user.last_name}`;
      const made = await addCard(world, { token, user_token, card_product_token, name });
      if (made === undefined) return refuse(reply, 409, '409001', 'The token is taken');
      return reply.code(201).send(shownCard(made));
    },
  );

  server.get<{ Params: { token: string } }>('/v3/cards/:token', async ({ params }, reply) => {
    const card = await simulatedCardOf(world, params.token);
    return card ? shownCard(card) : refuse(reply, 404, '404004', 'There is no such card');
  });

  server.post<{ Body: Static<typeof Transition> }>(
    '/v3/cardtransitions',
    { schema: { body: Transition } },
    async ({ body }, reply) => {
      const { card_token, state, reason = '', reason_code, channel } = body;
      if (!(await simulatedCardOf(world, card_token)))
        return refuse(reply, 404, '404004', 'There is no such card');
      const to = state as SimulatedCard['state'];
      const moved = await moveSimulatedCard(world, card_token, to, reason);
      if (moved === undefined) return refuse(reply, 400, '400039', 'The card may not go there');
      const { user_token, last_modified_time: created_time } = moved;
      const token = body.token ?? randomUUID();
      return reply.code(201).send({
        token,
        card_token,
        user_token,
        state,
        reason,
        reason_code,
        channel,
        created_time,
        type: `state.${state === 'ACTIVE' ? 'activated' : state.toLowerCase()}`,
        fulfillment_status: 'ISSUED',
      });
    },
  );
}

/** The number is masked, unless it is asked for by those who may see it. */
const shownCard = (card: SimulatedCard) => {
  const { pan, cvv: _cvv, name, expiration, ...rest } = card;
  return {
    ...rest,
    last_four: pan.slice(-4),
    pan: `${pan.slice(0, 6)}______${pan.slice(-4)}`,
    expiration,
    barcode: pan.slice(6),
    fulfillment_status: 'ISSUED',
    instrument_type: 'VIRTUAL_PAN',
    expedite: false,
    fulfillment: { card_personalization: { text: { name_line_1: { value: name } } } },
    metadata: {},
  };
};

const Wanted = Type.Object({ card_token: Token });
const WantedPin = Type.Object({
  card_token: Token,
  controltoken_type: Type.Optional(Type.String({ enum: ['SET_PIN', 'REVEAL_PIN'] })),
});

function pageEndpoints(server: FastifyInstance, world: World): void {
  server.post<{ Body: Static<typeof Wanted> }>(
    '/v3/users/auth/clientaccesstoken',
    { schema: { body: Wanted } },
    async ({ body: { card_token } }, reply) => {
      const card = await simulatedCardOf(world, card_token);
      if (!card) return refuse(reply, 404, '404004', 'There is no such card');
      const token = await openSimulatedPage(world, card_token, 'card');
      return reply.code(201).send({ token, card: shownCard(card) });
    },
  );

  server.post<{ Body: Static<typeof WantedPin> }>(
    '/v3/pins/controltoken',
    { schema: { body: WantedPin } },
    async ({ body: { card_token } }, reply) => {
      if (!(await simulatedCardOf(world, card_token)))
        return refuse(reply, 404, '404004', 'There is no such card');
      const control_token = await openSimulatedPage(world, card_token, 'pin');
      return reply.code(201).send({ control_token });
    },
  );
}

const Listed = Type.Object({
  start_date: Type.Optional(text(40)),
  end_date: Type.Optional(text(40)),
  start_index: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })),
  count: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$' })),
  sort_by: Type.Optional(text(40)),
});

function transactionEndpoints(server: FastifyInstance, world: World): void {
  server.get<{ Params: { token: string } }>(
    '/v3/transactions/:token',
    async ({ params }, reply) => {
      const found = await simulatedTransactionOf(world, params.token);
      return found ?? refuse(reply, 404, '404010', 'There is no such transaction');
    },
  );

  server.get<{ Querystring: Static<typeof Listed> }>(
    '/v3/transactions',
    { schema: { querystring: Listed } },
    async ({ query }) => {
      const { start_date = '', end_date = '9999' } = query;
      const start_index = Number(query.start_index ?? 0);
      const all = await transactionsBetween(world, start_date, end_date);
      const data = all.slice(start_index, start_index + Number(query.count ?? 25));
      const end_index = start_index + data.length;
      return { count: data.length, start_index, end_index, is_more: end_index < all.length, data };
    },
  );
}
