import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { text } from '#kernel/http/declare/schema.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import type { World } from '#sandbox/simulator.ts';
import { ISSUING_SIMULATOR, type SimulatedCard, simulatedCardOf } from './simulated-cards.ts';
import {
  askFunding,
  type CallSecrets,
  callbackOf,
  clearingsAfter,
  keepTransaction,
  newTransaction,
  type SimulatedPurchase,
  type SimulatedTransaction,
  simulatedTransactionOf,
} from './simulated-transactions.ts';

/** What people and tests have a card do, and a shop after it. */
const Body = Type.Object({
  amount: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), text(20)])),
  merchant: Type.Optional(
    Type.Object({
      mid: Type.Optional(text(50)),
      name: Type.Optional(text(100)),
      mcc: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
      city: Type.Optional(text(60)),
      country_code: Type.Optional(text(3)),
    }),
  ),
  /** The transaction that it follows, by its token. */
  transaction: Type.Optional(text(64)),
  merchant_amount: Type.Optional(Type.Number({ minimum: 0 })),
  merchant_currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  online: Type.Optional(Type.Boolean()),
  partial: Type.Optional(Type.Boolean()),
  wrong_code: Type.Optional(Type.Boolean()),
  final: Type.Optional(Type.Boolean()),
  /** The service is not notified before `/issuing/transactions/{token}/notify`. */
  quiet: Type.Optional(Type.Boolean()),
});
type Body = Static<typeof Body>;

/** What a control does: a type of transaction, and the method that its notification has. */
const KINDS = {
  authorize: ['authorization', 'pgfs.authorization', 'asks'],
  increment: ['authorization.incremental', 'pgfs.authorization.incremental', 'asks'],
  verify: ['authorization', 'pgfs.authorization.account_verification', 'asks'],
  balance: ['pindebit.balanceinquiry', 'pgfs.balanceinquiry', 'asks'],
  reverse: ['authorization.reversal', 'pgfs.authorization.reversal', 'tells'],
  settle: ['authorization.clearing', 'pgfs.authorization.clearing', 'tells'],
  refund: ['refund', 'pgfs.refund', 'tells'],
  advice: ['authorization.standin', 'pgfs.authorization.standin', 'tells'],
  // Replaces what was authorised by less: its amount is the new one, its funding what is given up.
  adjust: ['authorization.advice', 'pgfs.authorization.reversal', 'tells'],
  // The processor says no in the service's place.
  decline: ['authorization', 'pgfs.authorization', 'tells'],
} as const;
type Kind = keyof typeof KINDS;

interface Control {
  Params: { card_id: string };
  Body: Body;
}

/** The network and its shops. */
export function issuingNetwork(server: FastifyInstance, world: World, secrets: CallSecrets): void {
  for (const kind of Object.keys(KINDS) as Kind[])
    server.post<Control>(
      `/issuing/cards/:card_id/${kind}`,
      { schema: { body: Body } },
      ({ params, body }, reply) =>
        play(world, secrets, { ...body, kind, card_id: params.card_id }, reply),
    );
  server.post<{ Params: { token: string } }>(
    '/issuing/transactions/:token/notify',
    async ({ params }, reply) => {
      const found = await simulatedTransactionOf(world, params.token);
      if (!found) return missing(reply);
      const taken = await world.callbacks.deliver(
        ISSUING_SIMULATOR,
        callbackOf(world, secrets, [found]),
      );
      return { taken };
    },
  );
}

const missing = (reply: FastifyReply) =>
  reply.code(404).send({ error: 'There is no such card or transaction', code: 'NOT_FOUND' });

async function play(
  world: World,
  secrets: CallSecrets,
  asked: Body & { readonly kind: Kind; readonly card_id: string },
  reply: FastifyReply,
) {
  const { kind, card_id, transaction, quiet = false } = asked;
  const card = await simulatedCardOf(world, uuidOfObjectId('crd', card_id) ?? card_id);
  const after = transaction ? await simulatedTransactionOf(world, transaction) : undefined;
  if (!card || (transaction !== undefined && !after)) return missing(reply);
  const made = await transactionOf(world, card, asked, after);
  const [, , how] = KINDS[kind];
  const done =
    how === 'asks'
      ? await askFunding(world, secrets, made)
      : { status: 200, answer: null, ms: 0, transaction: made };
  await keepTransaction(world, done.transaction);
  if (!quiet)
    void world.callbacks.deliver(ISSUING_SIMULATOR, callbackOf(world, secrets, [done.transaction]));
  return done;
}

async function transactionOf(
  world: World,
  card: SimulatedCard,
  { kind, amount = 0, merchant_amount, merchant_currency, ...asked }: Body & { kind: Kind },
  after: SimulatedTransaction | undefined,
): Promise<SimulatedTransaction> {
  const [type, method] = KINDS[kind];
  const purchase: SimulatedPurchase = {
    type,
    method: kind === 'settle' && !after ? 'pgfs.force_capture' : method,
    amount: Number(amount),
    funding: kind === 'adjust' && after ? after.amount - Number(amount) : undefined,
    shop: asked.merchant as SimulatedPurchase['shop'],
    online: asked.online,
    partial: asked.partial,
    wrongCode: asked.wrong_code,
    isFinal: asked.final,
    after,
    foreign:
      merchant_amount !== undefined && merchant_currency !== undefined
        ? { amount: merchant_amount, currency: merchant_currency }
        : undefined,
  };
  const made = newTransaction(world, card, asked.currency ?? currencyOf(card), purchase);
  if (kind === 'decline') return { ...made, state: 'DECLINED' };
  if (kind !== 'settle' || !after) return made;
  const number = (await clearingsAfter(world, after.token)) + 1;
  return { ...made, clearing_record_sequence_number: String(number).padStart(2, '0') };
}

/** Its product is named by the currency in the sandbox. */
const currencyOf = ({ card_product_token }: SimulatedCard): string =>
  /[A-Za-z]{3}$/.exec(card_product_token)?.[0]?.toUpperCase() ?? 'USD';
