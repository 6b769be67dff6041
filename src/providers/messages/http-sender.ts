import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import {
  callHttp,
  done,
  type HttpCall,
  type HttpReply,
  type Outcome,
  refused,
  unknown,
} from '#kernel/provider-call.ts';

/** What the provider says about the message itself. Everything else may be different next time. */
const FINAL = new Set([400, 404, 410, 422]);
const TIMEOUT_MS = 10_000;

/** One call to a message provider, whose answer must have the shape of `expected`. */
export async function callMessageProvider<T extends TSchema>(
  call: HttpCall,
  expected: T,
): Promise<Outcome<Static<T>>> {
  const reply = await callHttp({ timeoutMs: TIMEOUT_MS, ...call });
  if ('lost' in reply) return unknown(reply.lost);
  if (FINAL.has(reply.status)) return refusal(reply);
  if (reply.status < 200 || reply.status > 299) return unknown(`HTTP ${reply.status}`);
  return Value.Check(expected, reply.json)
    ? done(reply.json as Static<T>)
    : unknown('an answer of another shape');
}

/** Providers repeat what they were sent in their messages, so only the status is kept. */
const refusal = ({ status }: HttpReply): Outcome<never> =>
  refused(`HTTP_${status}`, 'The provider does not take this message', status);
