import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { toWire } from '#kernel/money/money.ts';
import { currencyOf } from '#providers/card-network/wire.ts';
import type { World } from '#sandbox/simulator.ts';
import { SIMULATED_CARD_PROVIDER } from './simulated-issuer.ts';
import {
  listTransactions,
  type SimulatedCardTransaction,
  setStatus,
  simulatedCardUnitsOf,
  TRANSACTION_KINDS,
} from './simulated-transactions.ts';

const LIMIT_MAX = 1000;

const Listed = Type.Object(
  {
    limit: Type.Optional(integerInput(1, LIMIT_MAX)),
    before: Type.Optional(text(64)),
    kind: Type.Optional(oneOfWords(TRANSACTION_KINDS)),
    rrn: Type.Optional(text(64)),
  },
  { additionalProperties: false },
);
const Status = Type.Object({
  status: Type.String({ pattern: '^[A-Z][A-Z_]{1,39}$' }),
  amount: Type.Optional(Type.String({ pattern: '^(0|[1-9]\\d{0,11})(\\.\\d{1,3})?$' })),
});

/** What the network did, for people and reconciliation; and what its staff may do. */
export function cardControls(server: FastifyInstance, world: World): void {
  listControl(server, world);
  statusControl(server, world);
}

/**
 * `GET /cards?limit=&before=&kind=&rrn=`: newest first; the next page is `before` the last one's
 * id.
 */
function listControl(server: FastifyInstance, world: World): void {
  server.get<{ Querystring: Static<typeof Listed> }>(
    '/cards',
    { schema: { querystring: Listed } },
    async ({ query }, reply) => {
      const transactions = await listTransactions(world, query);
      if (transactions === undefined)
        return reply.code(404).send({ error: 'No such transaction', code: 'NOT_FOUND' });
      return transactions.map(({ cardToken: _, currency, ...shown }) => ({
        ...shown,
        currency: currencyOf(currency) ?? currency,
      }));
    },
  );
}

/**
 * `POST /cards/{transactionIdentifier}/status {status, amount?}`: changes it at the network, which calls
 * back. CHARGEBACK takes `amount` of a pull back, or all of it; any word after that gives it again.
 */
function statusControl(server: FastifyInstance, world: World): void {
  server.post<{ Params: { transactionIdentifier: string }; Body: Static<typeof Status> }>(
    '/cards/:transactionIdentifier/status',
    { schema: { body: Status } },
    async ({ params, body }, reply) => {
      const { transactionIdentifier: name } = params;
      const changed = await setStatus(world, name, body.status, body.amount);
      if (changed === undefined) {
        return reply.code(404).send({ error: 'No such transaction', code: 'NOT_FOUND' });
      }
      const delivered = await world.callbacks.deliver(SIMULATED_CARD_PROVIDER, {
        url: `${world.serviceUrl()}/card-checkout/card/callback`,
        body: callbackOf(changed, world.clock.now()),
      });
      const { transactionIdentifier, status } = changed;
      return { transactionIdentifier, status, delivered };
    },
  );
}

function callbackOf(
  { transactionIdentifier, status, amount, currency }: SimulatedCardTransaction,
  at: Date,
) {
  const asset = currencyOf(currency);
  const units = simulatedCardUnitsOf(amount, currency);
  return {
    transactionIdentifier,
    status,
    ...(asset && units !== undefined ? { amount: toWire({ asset, units }), currency: asset } : {}),
    timestamp: at.toISOString(),
  };
}
