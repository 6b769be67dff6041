import type { FastifyRequest } from 'fastify';
import { wrongField } from '#kernel/error.ts';
import { networkOf } from '../../network.ts';
import { callerSecretOf } from './caller-seal.ts';
import { canonicalJson } from './canonical.ts';
import { IDEMPOTENCY_KEY_MAX, type IdempotentRequest } from './idempotency.ts';

/** Which operation a request names by its key. Throws where the header is none, or is there twice. */
export function keyedRequestOf(
  key: string | string[],
  request: FastifyRequest,
  tellsSecrets: boolean,
): IdempotentRequest {
  if (typeof key !== 'string' || key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX)
    throw wrongField('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_MAX} characters`);
  // Node joins the lines of one header.
  if (key.includes(',') && isRepeated(request.raw.rawHeaders))
    throw wrongField('Idempotency-Key', 'must be sent once');
  const { caller, url } = request;
  const path = url.split('?', 1)[0];
  const query = url.slice(path?.length);
  const body = `${query}\n${canonicalBodyOf(request)}`;
  return {
    key,
    body,
    owner: [caller?.key?.key_id ?? '', requesterScope(request), request.method, path].join('\n'),
    raw: `${query}\n${rawBodyOf(request)}`,
    secret: tellsSecrets ? callerSecretOf(request, key, body) : undefined,
  };
}

const isRepeated = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'idempotency-key').length >
  1;

const rawBodyOf = ({ raw_body }: FastifyRequest): string => raw_body?.toString('utf8') ?? '';

/** What is signed is not parsed here, and is what its bytes are. */
function canonicalBodyOf(request: FastifyRequest): string {
  const { body, route } = request;
  if (route?.endpoint.signed) return rawBodyOf(request);
  return body === undefined ? '' : canonicalJson(body, route?.endpoint.body);
}

/** The logged-in user; otherwise a network, since an application's API key is many people's. */
function requesterScope({ caller, ip }: FastifyRequest): string {
  if (caller && 'user_id' in caller) return String(caller.user_id);
  if (caller && 'userx_id' in caller) return `x${caller.userx_id}`;
  return `in ${networkOf(ip)}`;
}
