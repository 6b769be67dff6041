import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Value } from 'typebox/value';
import { type GatewayWorld, isOverdrawn, SIMULATED_GATEWAY_PROVIDER } from './simulated-account.ts';
import {
  callBackOfPayout,
  cancelPayout,
  endPayout,
  ensurePayout,
  payoutById,
  simulatedGatewayPayoutOf,
} from './simulated-payouts.ts';
import { invalidAtXendit, refuseAsXendit } from './xendit-refusals.ts';
import { CreatePayout, ListedPayouts, PAYOUT_CHANNELS } from './xendit-schema.ts';

interface ById {
  Params: { id: string };
}

/** A pay-out's own endpoints, and where money can be sent. */
export function xenditPayouts(server: FastifyInstance, world: GatewayWorld): void {
  server.post('/v2/payouts', async ({ body, headers }, reply) => {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string' || key === '')
      return refuseAsXendit(reply, 400, 'API_VALIDATION_ERROR', 'Idempotency-key is required');
    if (!Value.Check(CreatePayout, body)) return invalidAtXendit(reply, CreatePayout, body);
    const fault = channelFault(body);
    if (fault) return refuseAsXendit(reply, 400, ...fault);
    return createOnce(world, key, body, reply);
  });

  server.get('/v2/payouts', async ({ query }, reply) => {
    if (!Value.Check(ListedPayouts, query)) return invalidAtXendit(reply, ListedPayouts, query);
    const payout = await simulatedGatewayPayoutOf(world, query.reference_id);
    return { data: payout ? [payout] : [], has_more: false, links: {} };
  });

  server.get<ById>('/v2/payouts/:id', async ({ params }, reply) => {
    const payout = await payoutById(world, params.id);
    return payout ?? missing(reply);
  });

  server.post<ById>('/v2/payouts/:id/cancel', async ({ params }, reply) => {
    const payout = await payoutById(world, params.id);
    if (payout === undefined) return missing(reply);
    const cancelled = await cancelPayout(world, payout.reference_id);
    const message = `A pay-out that is ${payout.status} cannot be cancelled`;
    return cancelled ?? refuseAsXendit(reply, 409, 'CANCEL_PAYOUT_NOT_ALLOWED', message);
  });

  server.get('/payouts_channels', async () => PAYOUT_CHANNELS);
}

/** A key stands for one request: with another body it is refused, with the same it gets the same pay-out. */
async function createOnce(
  world: GatewayWorld,
  key: string,
  body: CreatePayout,
  reply: FastifyReply,
) {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const { records } = world;
  if (!(await records.insert(SIMULATED_GATEWAY_PROVIDER, KEYS, key, { digest }))) {
    const kept = await records.get<{ digest: string }>(SIMULATED_GATEWAY_PROVIDER, KEYS, key);
    if (kept?.digest !== digest) return duplicate(reply);
  }
  const payout = await ensurePayout(world, body);
  if (payout === undefined) return duplicate(reply);
  if (payout.status === 'ACCEPTED' && (await isOverdrawn(records)))
    void failForWant(world, body.reference_id);
  return payout;
}

const KEYS = 'payout-key';

/** It is accepted first, and fails as it is to be sent: the call-back says why. */
async function failForWant(world: GatewayWorld, reference: string): Promise<void> {
  const failed = await endPayout(world, reference, 'fail', 'INSUFFICIENT_BALANCE');
  if (failed) await callBackOfPayout(world, 'fail', failed);
}

function channelFault(body: CreatePayout): readonly [code: string, message: string] | undefined {
  const channel = PAYOUT_CHANNELS.find(({ channel_code }) => channel_code === body.channel_code);
  if (channel === undefined || body.currency !== channel.currency)
    return ['CHANNEL_CODE_NOT_SUPPORTED_ERROR', 'There is no such channel'];
  const { minimum, maximum } = channel.amount_limits;
  if (body.amount > maximum)
    return ['MAXIMUM_TRANSFER_LIMIT_ERROR', `The channel takes at most ${maximum}`];
  if (body.amount < minimum || !Number.isInteger(body.amount))
    return ['RECIPIENT_AMOUNT_ERROR', `The channel takes ${minimum} and more, without cents`];
  if (!/^\d{5,20}$/.test(body.channel_properties.account_number))
    return ['RECIPIENT_ACCOUNT_NUMBER_ERROR', 'Not an account number'];
  return undefined;
}

const missing = (reply: FastifyReply) =>
  refuseAsXendit(reply, 404, 'DATA_NOT_FOUND', 'There is no such pay-out');
const duplicate = (reply: FastifyReply) =>
  refuseAsXendit(reply, 409, 'DUPLICATE_ERROR', 'The idempotency key was used by another request');
