import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import {
  done,
  type Outcome,
  type ProviderReply,
  refused,
  unknown,
} from '../../kernel/provider-call.ts';

/** A refusal in the words of the gateway that gave it. */
export interface GatewayFailure {
  readonly code?: string;
  readonly message?: string;
}

/** These judge the caller, not the request, which may have been executed. */
const UNDECIDED = [401, 403, 408, 425, 429];
const CODE_MAX = 100;
const MESSAGE_MAX = 200;

/** An answer of that shape, a refusal of the request itself, or not known. */
export function readReply<S extends TSchema>(
  schema: S,
  reply: ProviderReply,
  failureOf: (json: unknown) => GatewayFailure,
): Outcome<Static<S>> {
  if ('lost' in reply) return unknown(reply.lost);
  const { status, json } = reply;
  if (status >= 200 && status < 300)
    return Value.Check(schema, json) ? done(json) : unknown('an answer of another shape');
  if (status < 400 || status >= 500 || UNDECIDED.includes(status))
    return unknown(`answered ${status}`);
  const { code = `HTTP_${status}`, message = 'The payment gateway refused the request' } =
    failureOf(json);
  return refused(code.slice(0, CODE_MAX), message.slice(0, MESSAGE_MAX), status);
}
