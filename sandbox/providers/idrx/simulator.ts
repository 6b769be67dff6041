import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { integerInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { SIGNATURE_FORMS, signatureOf } from '#providers/idrx/signature.ts';
import { idrxUnitsOf, MintRequest, RedeemRequest } from '#providers/idrx/wire.ts';
import { rawBody } from '#sandbox/raw-body.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import { checkoutPages, isWay } from './checkout-page.ts';
import {
  addMint,
  addRedeem,
  endRedeem,
  expireMint,
  type IdrxWorld,
  type Issue,
  mintOfReference,
  payMint,
  SIMULATED_IDRX_PREFIX,
  SIMULATED_IDRX_PROVIDER,
  shownMint,
  simulatedIdrxRedeemOf,
  toldHistory,
} from './simulated-history.ts';
import { payAnyway } from './simulated-late.ts';

export type IdrxCredentials = Pick<Config, 'IDRX_API_KEY' | 'IDRX_SECRET'>;

/** Plays IDRX: mints that people pay for, redemptions, their history, and call-backs without proof. */
export const idrxSimulator = (credentials: IdrxCredentials, issue: Issue): Simulator => ({
  provider: SIMULATED_IDRX_PROVIDER,
  prefix: SIMULATED_IDRX_PREFIX,
  wire(server, bare) {
    const world = { ...bare, issue };
    server.addHook('preHandler', async (request, reply) => {
      if (/^(curl|python|node|undici|axios)|^$/i.test(request.headers['user-agent'] ?? ''))
        return reply.code(403).type('text/plain').send('error code: 1010');
      if (!isSigned(request, credentials, world.clock.now()))
        return problem(reply, 401, 'Unauthorized');
    });
    transactionEndpoints(server, world);
  },
  controls(server, bare) {
    const world = { ...bare, issue };
    idrxControls(server, world);
    checkoutPages(server, world);
  },
});

const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** Either published form will do. */
function isSigned(
  request: FastifyRequest,
  { IDRX_API_KEY: apiKey, IDRX_SECRET: secret }: IdrxCredentials,
  now: Date,
): boolean {
  const { method, url, headers } = request;
  const [key = '', given = '', timestamp = ''] = ['key', 'sig', 'ts'].map((name) =>
    String(headers[`idrx-api-${name}`] ?? ''),
  );
  if (apiKey === '' || secret === '' || !sameSecret(key, apiKey)) return false;
  if (!/^\d{13}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() - Number(timestamp)) > CLOCK_TOLERANCE_MS) return false;
  const body = rawBody(request).toString('utf8');
  const signed = { method, url: `http://${headers.host}${url}`, body, timestamp };
  return SIGNATURE_FORMS.some((form) => sameSecret(given, signatureOf(form, secret, signed)));
}

const MIN_UNITS = 2_000_000n;
const BANKS = [
  { bankCode: '014', bankName: 'BCA', maxAmountTransfer: '1000000000' },
  { bankCode: '008', bankName: 'MANDIRI', maxAmountTransfer: '1000000000' },
  { bankCode: '009', bankName: 'BNI', maxAmountTransfer: '1000000000' },
  { bankCode: '002', bankName: 'BRI', maxAmountTransfer: '1000000000' },
  { bankCode: '022', bankName: 'CIMB', maxAmountTransfer: '1000000000' },
  { bankCode: '013', bankName: 'PERMATA', maxAmountTransfer: '1000000000' },
];
const History = Type.Object({
  transactionType: oneOfWords(['MINT', 'BURN'] as const),
  page: integerInput(1, 1000),
  take: integerInput(1, 100),
  orderByDate: Type.Optional(oneOfWords(['DESC'] as const)),
  merchantOrderId: Type.Optional(text(100)),
});

function transactionEndpoints(server: FastifyInstance, world: IdrxWorld): void {
  server.post('/transaction/mint-request', async ({ body }, reply) => {
    if (!Value.Check(MintRequest, body) || idrxUnitsOf(body.toBeMinted) < MIN_UNITS)
      return problem(reply, 400, 'Invalid parameter');
    const { id, merchantOrderId, reference, paymentUrl, amount } = await addMint(world, body);
    const data = { id, merchantOrderId, reference, paymentUrl, amount, statusCode: '00' };
    return { statusCode: 200, message: 'success', data };
  });

  server.post('/transaction/redeem-request', async ({ body }, reply) => {
    if (!Value.Check(RedeemRequest, body) || idrxUnitsOf(body.amountTransfer) < MIN_UNITS)
      return problem(reply, 400, 'Invalid parameter');
    const data = await addRedeem(world, body);
    if (data === undefined) return problem(reply, 400, 'Transaction hash has been used');
    return { statusCode: 200, message: 'success', data };
  });

  server.get('/transaction/method', async () => ({
    statusCode: 200,
    message: 'success',
    data: BANKS,
  }));

  server.get<{ Querystring: Static<typeof History> }>(
    '/transaction/user-transaction-history',
    { schema: { querystring: History } },
    async ({ query: { transactionType, page, take, merchantOrderId } }) => {
      const one = merchantOrderId === undefined ? {} : { merchantOrderId };
      const records = await toldHistory(world, transactionType, { page, take, ...one });
      return { metadata: { page, perPage: take }, records };
    },
  );
}

interface ByReference {
  Params: { reference: string };
  Body: { way?: string; amount?: number } | null;
}

/**
 * `POST /idrx/payments/{reference}/pay {way?, amount?}`, with an amount also too late or once more, and
 * `.../expire`; `/idrx/redeems/{reference}/…`.
 */
function idrxControls(server: FastifyInstance, world: IdrxWorld): void {
  server.post<ByReference>(
    `${SIMULATED_IDRX_PREFIX}/payments/:reference/pay`,
    async ({ params, body }, reply) => {
      const way = body?.way ?? 'QRIS';
      if (!isWay(way)) return refuse(reply, 400, 'VALIDATION_ERROR', 'There is no such way to pay');
      const mint = await mintOfReference(world, params.reference);
      if (mint === undefined) return missing(reply);
      const amount = body?.amount;
      if (amount !== undefined && !(Number.isSafeInteger(amount) && amount > 0))
        return refuse(reply, 400, 'VALIDATION_ERROR', 'amount is in whole rupiah');
      const paid = await (amount === undefined
        ? payMint(world, mint.merchantOrderId, way)
        : payAnyway(world, mint, BigInt(amount) * 100n));
      return paid ? shownMint(paid) : conflict(reply, mint.paymentStatus);
    },
  );

  server.post<ByReference>(
    `${SIMULATED_IDRX_PREFIX}/payments/:reference/expire`,
    async ({ params }, reply) => {
      const mint = await mintOfReference(world, params.reference);
      if (mint === undefined) return missing(reply);
      const expired = await expireMint(world, mint.merchantOrderId);
      return expired ? shownMint(expired) : conflict(reply, mint.paymentStatus);
    },
  );

  for (const [end, status] of [
    ['complete', 'PROCESSED'],
    ['fail', 'REJECTED'],
  ] as const)
    server.post<ByReference>(
      `${SIMULATED_IDRX_PREFIX}/redeems/:reference/${end}`,
      async ({ params }, reply) => {
        const redeem = await simulatedIdrxRedeemOf(world, params.reference);
        if (redeem === undefined) return missing(reply);
        const ended = await endRedeem(world, redeem, status);
        return ended ?? conflict(reply, redeem.burnStatus);
      },
    );
}

const problem = (reply: FastifyReply, statusCode: number, message: string) =>
  reply.code(statusCode).send({ statusCode, message, data: null });
const refuse = (reply: FastifyReply, status: number, code: string, error: string) =>
  reply.code(status).send({ error, code });
const missing = (reply: FastifyReply) =>
  refuse(reply, 404, 'NOT_FOUND', 'There is nothing of this reference');
const conflict = (reply: FastifyReply, status: string) =>
  refuse(reply, 409, 'CONFLICT', `It is ${status}`);
