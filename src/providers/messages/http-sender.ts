import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Refusal, Unknown } from '#kernel/effects/outcome.ts';
import {
  callHttp,
  done,
  type HttpCall,
  type HttpReply,
  type Outcome,
  refused,
  unknown,
} from '#kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { MESSAGE_STATUSES } from './message-codes.ts';

const TIMEOUT_MS = 10_000;

/** What an answer other than 2xx means for the message. */
type Verdict = (reply: HttpReply) => Refusal | Unknown;

/** One call to a message provider, whose answer must have the shape of `expected`. */
export async function callMessageProvider<T extends TSchema>(
  call: HttpCall,
  expected: T,
  verdict: Verdict = byStatus,
): Promise<Outcome<Static<T>>> {
  const reply = await callHttp({ timeoutMs: TIMEOUT_MS, ...call });
  if ('lost' in reply) return unknown(reply.lost);
  if (reply.status < 200 || reply.status > 299) return verdict(reply);
  return Value.Check(expected, reply.json)
    ? done(reply.json as Static<T>)
    : unknown('an answer of another shape');
}

const byStatus: Verdict = ({ status }) =>
  meaningOf(MESSAGE_STATUSES, String(status)) === 'refused'
    ? messageRefused(`HTTP_${status}`, status)
    : unknown(`HTTP ${status}`);

/** Providers repeat what they were sent in their messages, so only the code is kept. */
export const messageRefused = (code: string, status: number): Refusal =>
  refused(code, 'The provider does not take this message', status);
