import { Buffer } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { APPROVED } from '#providers/card-network/action-codes.ts';
import { QUERY_FIELDS } from '#providers/card-network/look-up.ts';
import { MERCHANT } from '#providers/card-network/merchant.ts';
import { earliestMonth } from '#providers/card-network/port.ts';
import { CLEARING, TYPES } from '#providers/card-network/statement.ts';
import {
  answersLate,
  decideCharge,
  decideCredit,
  decideValidation,
  goesSilent,
} from '#providers/card-network/test-cards.ts';
import {
  PullRequest,
  PushRequest,
  ReverseRequest,
  ValidationRequest,
} from '#providers/card-network/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { clearing } from './simulated-clearing.ts';
import { cardControls } from './simulated-controls.ts';
import { cardToken, SIMULATED_CARD_PROVIDER } from './simulated-issuer.ts';
import {
  type CardRequest,
  claimReversal,
  exclusively,
  findByName,
  findSimulatedCardByIdentifier,
  type SimulatedCardTransaction,
  simulatedCardUnitsOf,
  transactOnce,
} from './simulated-transactions.ts';

const FUNDS = '/visadirect/fundstransfer/v1';

const Query = Type.Object({
  acquiringBIN: Type.String({ pattern: '^\\d{6}$' }),
  transactionIdentifier: Type.Optional(Type.String()),
  rrn: Type.Optional(Type.String()),
  stan: Type.Optional(Type.String()),
  terminalId: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Literal(QUERY_FIELDS)),
});

type Credentials = Pick<Config, 'CARD_NETWORK_USER' | 'CARD_NETWORK_PASSWORD'>;

/** The card network: PAV and Visa Direct with the test cards. No card number is ever kept. */
export const cardNetworkSimulator = (config: Credentials): Simulator => ({
  provider: SIMULATED_CARD_PROVIDER,
  prefix: '/card-network',

  wire(server, world) {
    const credentials = `${config.CARD_NETWORK_USER}:${config.CARD_NETWORK_PASSWORD}`;
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    server.addHook('preHandler', async (request, reply) => {
      if (request.headers.authorization === authorization) return;
      return reply.code(401).send(failure('9125', 'Expected input credential was not present'));
    });
    const post = <S extends TSchema>(
      path: string,
      shape: S,
      answer: (body: Static<S>, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    ) =>
      server.post(path, async (request, reply) => {
        if (Value.Check(shape, request.body)) return answer(request.body, request, reply);
        const [first] = Value.Errors(shape, request.body);
        return bad(reply, `Field ${first?.instancePath || '/'} ${first?.message ?? 'is invalid'}`);
      });

    post('/pav/v1/cardvalidation', ValidationRequest, (body) => validate(world, body));
    post(`${FUNDS}/pullfundstransactions`, PullRequest, (...call) => pull(world, ...call));
    post(`${FUNDS}/pushfundstransactions`, PushRequest, (...call) => push(world, ...call));
    post(`${FUNDS}/reversefundstransactions`, ReverseRequest, (body) => reverse(world, body));
    for (const kind of ['pull', 'push'])
      server.get<{ Params: { id: string } }>(
        `${FUNDS}/${kind}fundstransactions/:id`,
        async ({ params }, reply) => statusOf(world, params.id, reply),
      );
    server.get('/visadirect/v1/transactionquery', (request, reply) => look(world, request, reply));
    server.get(CLEARING, (request, reply) => clearing(world, request, reply));
  },

  controls(server, world) {
    cardControls(server, world);
  },
});

const INVALID_AMOUNT = '13';
const DUPLICATE = { actionCode: '94', responseCode: '5' };

function validate(world: World, body: Static<typeof ValidationRequest>) {
  const { primaryAccountNumber, cardExpiryDate, cardCvv2Value } = body;
  return Promise.resolve({
    actionCode: decideValidation(primaryAccountNumber, cardExpiryDate, monthOf(world)),
    responseCode: '5',
    addressVerificationResults: 'U',
    ...(cardCvv2Value === undefined ? {} : { cvv2ResultCode: 'M' }),
  });
}

async function pull(
  world: World,
  body: Static<typeof PullRequest>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const number = body.senderPrimaryAccountNumber;
  const asked = await askedOf(world, 'pull', { number, currency: body.senderCurrencyCode }, body);
  const answer = await transactOnce(world, asked, async () =>
    simulatedCardUnitsOf(asked.amount, asked.currency)
      ? decideCharge(number, body.senderCardExpiryDate, monthOf(world))
      : INVALID_AMOUNT,
  );
  return settle(answer, number, request, reply);
}

async function push(
  world: World,
  body: Static<typeof PushRequest>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const number = body.recipientPrimaryAccountNumber;
  const money = { number, currency: body.transactionCurrencyCode };
  const asked = await askedOf(world, 'push', money, body);
  const answer = await transactOnce(world, asked, async () =>
    simulatedCardUnitsOf(asked.amount, asked.currency) ? decideCredit(number) : INVALID_AMOUNT,
  );
  return settle(answer, number, request, reply);
}

async function reverse(world: World, body: Static<typeof ReverseRequest>) {
  const { senderPrimaryAccountNumber: number, senderCurrencyCode: currency } = body;
  const asked = {
    ...(await askedOf(world, 'reversal', { number, currency }, body)),
    original: body.transactionIdentifier,
  };
  const answer = await exclusively(world, asked, (held) =>
    transactOnce(held, asked, (id) => decideReversal(held, asked, body, id)),
  );
  return answer === undefined ? DUPLICATE : movement(answer.transaction);
}

async function decideReversal(
  world: World,
  asked: CardRequest,
  body: Static<typeof ReverseRequest>,
  id: string,
): Promise<string> {
  const original = await findSimulatedCardByIdentifier(world, body.transactionIdentifier);
  const { originalDataElements: named } = body;
  if (
    original?.kind !== 'pull' ||
    original.actionCode !== APPROVED ||
    original.acquiringBin !== named.acquiringBin ||
    original.stan !== named.systemsTraceAuditNumber ||
    original.approvalCode !== named.approvalCode ||
    original.transmittedAt !== named.transmissionDateTime
  ) {
    return '25';
  }
  if (original.cardToken !== asked.cardToken) return '14';
  if (!['COMPLETED', 'CHARGEBACK_REVERSED'].includes(original.status)) return '21';
  const most = simulatedCardUnitsOf(original.amount, original.currency);
  const units = simulatedCardUnitsOf(asked.amount, asked.currency);
  if (!units || !most || original.currency !== asked.currency || units > most)
    return INVALID_AMOUNT;
  return (await claimReversal(world, original, id)) ? APPROVED : '21';
}

interface Named {
  readonly acquiringBin: string;
  readonly retrievalReferenceNumber: string;
  readonly systemsTraceAuditNumber: string;
  readonly amount: string;
  readonly cardAcceptor: { readonly terminalId: string };
}

async function askedOf(
  world: World,
  kind: CardRequest['kind'],
  { number, currency }: { readonly number: string; readonly currency: string },
  body: Named,
): Promise<CardRequest> {
  return {
    kind,
    acquiringBin: body.acquiringBin,
    rrn: body.retrievalReferenceNumber,
    stan: body.systemsTraceAuditNumber,
    terminalId: body.cardAcceptor.terminalId,
    last4: number.slice(-4),
    cardToken: await cardToken(world.records, number),
    amount: body.amount,
    currency,
  };
}

/** The first answer about the silent card gets lost; a look-up tells what happened. */
function settle(
  answer: { transaction: SimulatedCardTransaction; fresh: boolean } | undefined,
  number: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (answer === undefined) return DUPLICATE;
  if (answer.fresh && goesSilent(number)) {
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  }
  if (answer.fresh && answersLate(number))
    return reply.code(202).send({ statusIdentifier: statusIdentifierOf(answer.transaction) });
  return movement(answer.transaction);
}

const statusIdentifierOf = ({ transmittedAt, transactionIdentifier }: SimulatedCardTransaction) =>
  `${Date.parse(`${transmittedAt}Z`) / 1000}_${transactionIdentifier}_VDP_ARM`;
const STATUS_MS = 86_400_000;

/** What a call that was answered 202 has come to; good for 24 hours. */
async function statusOf(world: World, id: string, reply: FastifyReply) {
  const [, seconds = '0', identifier = ''] = /^(\d+)_(\d{15})_VDP_ARM$/.exec(id) ?? [];
  const found = await findSimulatedCardByIdentifier(world, identifier);
  const isOver = world.clock.now().getTime() - Number(seconds) * 1000 > STATUS_MS;
  if (found === undefined || isOver)
    return reply
      .code(404)
      .send(failure('3050', 'There is no transaction of this statusIdentifier'));
  return movement(found);
}

const movement = ({
  transactionIdentifier,
  actionCode,
  approvalCode,
  ...rest
}: SimulatedCardTransaction) => ({
  transactionIdentifier,
  actionCode,
  approvalCode,
  responseCode: '5',
  transmissionDateTime: `${rest.transmittedAt}.000Z`,
});

async function look(world: World, request: FastifyRequest, reply: FastifyReply) {
  const { query } = request;
  if (!Value.Check(Query, query)) return bad(reply, 'acquiringBIN is needed');
  const { acquiringBIN: acquiringBin, transactionIdentifier, rrn, stan, fields } = query;
  const { terminalId = MERCHANT.terminalId } = query;
  if (transactionIdentifier === undefined && (rrn === undefined || stan === undefined)) {
    return bad(reply, 'Either transactionIdentifier, or rrn and stan, are needed');
  }
  const found =
    transactionIdentifier === undefined
      ? await findByName(world, { acquiringBin, rrn: rrn ?? '', stan: stan ?? '', terminalId })
      : await findSimulatedCardByIdentifier(world, transactionIdentifier);
  if (found?.acquiringBin !== acquiringBin) {
    const errorMessage = 'No transactions found for the specified input parameters';
    return reply.code(404).send({ errorMessage });
  }
  const [transactionDate, transactionTime] = found.transmittedAt.split('T');
  return [
    {
      statusCode: found.status,
      acquiringBin: found.acquiringBin,
      actionCode: found.actionCode,
      approvalCode: found.approvalCode,
      responseCode: '5',
      transactionIdentifier: found.transactionIdentifier,
      transactionType: TYPES[found.kind],
      retrievalReferenceNumber: found.rrn,
      systemsTraceAuditNumber: found.stan,
      transactionDate,
      transactionTime,
      ...(fields && {
        amountInTransactionCurrency: found.amount,
        transactionCurrencyCode: found.currency,
        cardAcceptorTerminalId: found.terminalId,
      }),
      ...(found.status === 'CHARGEBACK' &&
        found.chargedBack !== undefined && { chargebackAmount: found.chargedBack }),
    },
  ];
}

const monthOf = ({ clock }: World): string => earliestMonth(clock.now());

const bad = (reply: FastifyReply, message: string) =>
  reply.code(400).send(failure('3001', message));

const failure = (code: string, message: string) => ({
  responseStatus: { code, severity: 'ERROR', message, info: '' },
});
