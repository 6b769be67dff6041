import { Buffer } from 'node:buffer';
import type { Static, TSchema } from 'typebox';
import { callHttp, type Outcome, unknown } from '../../kernel/provider-call.ts';
import { readReply } from './read-reply.ts';
import { xenditFailure } from './xendit-wire.ts';

export interface XenditAccess {
  /** `https://api.xendit.co`. */
  url(): string;
  /** The secret key, with leave to move money in and out. */
  readonly key: string;
  readonly timeoutMs?: number;
}

interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
}

/** One call, whose answer has that shape; every other answer is a refusal or unknown. */
export type XenditCall = <S extends TSchema>(schema: S, call: Call) => Promise<Outcome<Static<S>>>;

export function xenditCaller({ url, key, timeoutMs: patience }: XenditAccess): XenditCall {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  return async (schema, { name, method, path, body, idempotencyKey, timeoutMs = patience }) => {
    const reply = await callHttp({
      name: `gateway ${name}`,
      method,
      url: `${url()}${path}`,
      headers: {
        authorization,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return readReply(schema, reply, xenditFailure);
  };
}

/** The value of an answer; unknown where it makes no sense. */
export const understood = <T>(value: T | undefined): Outcome<T> =>
  value === undefined ? unknown(STRANGE) : { kind: 'done', value };

export const STRANGE = 'an answer that is not understood';
