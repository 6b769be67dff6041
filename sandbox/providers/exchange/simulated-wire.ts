import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sameSecret } from '#kernel/secrets/token.ts';
import { rawBody } from '#sandbox/raw-body.ts';
import type { World } from '#sandbox/simulator.ts';

export interface Credentials {
  readonly EXCHANGE_KEY: string;
  readonly EXCHANGE_SECRET: string;
}

/** Its own codes for what it does not do. */
export const FAULTS = {
  timestamp: [-1021, 'Timestamp for this request is outside of the recvWindow.'],
  signature: [-1022, 'Signature for this request is not valid.'],
  key: [-2015, 'Invalid API-key, IP, or permissions for action.'],
  parameter: [-1102, 'A mandatory parameter was not sent, was empty, or malformed.'],
  notional: [-1013, 'Filter failure: MIN_NOTIONAL'],
  lot: [-1013, 'Filter failure: LOT_SIZE'],
  price: [-1013, 'Filter failure: PRICE_FILTER'],
  unsupported: [-1020, 'This operation is not supported.'],
  cancelled: [-2011, 'Unknown order sent.'],
  order: [-2013, 'Order does not exist.'],
  symbol: [-1121, 'Invalid symbol.'],
  funds: [-2010, 'Account has insufficient balance for requested action.'],
  network: [-4018, "We don't have this asset."],
  minimum: [-4022, 'Not less than the minimum pick-up quantity 5.'],
  poor: [-4026, 'You have insufficient balance.'],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export function refuseAsExchange(reply: FastifyReply, fault: keyof typeof FAULTS): FastifyReply {
  const [code, msg] = FAULTS[fault];
  return reply.code(fault === 'signature' || fault === 'key' ? 401 : 400).send({ code, msg });
}

/** `{code:0, msg:'Success', data, timestamp}`. */
export const success = ({ clock }: World, data: object) => ({
  code: 0,
  msg: 'Success',
  data,
  timestamp: clock.now().getTime(),
});

const WINDOW_MAX_MS = 60_000;
const WINDOW_MS = 5000;

/** A signed call is worth nothing a few seconds later: what is late on its way is never done. */
export function faultOf(
  { clock }: World,
  { EXCHANGE_KEY: key, EXCHANGE_SECRET: secret }: Credentials,
  request: FastifyRequest,
): keyof typeof FAULTS | undefined {
  const [, query = ''] = request.url.split('?');
  const text = request.method === 'GET' ? query : rawBody(request).toString('utf8');
  const [signed = '', signature = ''] = text.split('&signature=');
  if (key === '' || !sameSecret(String(request.headers['x-mbx-apikey'] ?? ''), key)) return 'key';
  const right = createHmac('sha256', secret).update(signed).digest('hex');
  if (!sameSecret(signature, right)) return 'signature';
  const given = new URLSearchParams(signed);
  const ageMs = clock.now().getTime() - Number(given.get('timestamp'));
  const windowMs = Math.min(Number(given.get('recvWindow') ?? WINDOW_MS), WINDOW_MAX_MS);
  return ageMs > windowMs || ageMs < -1000 || Number.isNaN(ageMs) ? 'timestamp' : undefined;
}
